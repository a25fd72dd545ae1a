# Every target sets up .venv first, so each works on a fresh clone with Python 3.11+ and make.

PYTHON ?= python3
BIN := .venv/bin
SNAKEMAKE := $(BIN)/snakemake --cores all
PYTEST := $(BIN)/python -m pytest --numprocesses logical --dist worksteal
COMPILE := $(BIN)/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --no-strip-extras \
  --no-emit-index-url --no-emit-find-links --no-header
EXTRAS := $(addprefix --extra ,workflow notebooks textbook test dev)
export OMP_NUM_THREADS = 1
export OPENBLAS_NUM_THREADS = 1
export MKL_NUM_THREADS = 1

.DEFAULT_GOAL := help
.PHONY: help setup figures smoke sensitivity report notebook dag tables schema docs article release test test-slow \
  test-all test-cluster lint bench lock clean

help:  ## say what each target does
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: .venv/ready  ## create .venv from requirements.lock and install the package into it

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

.venv/bench: requirements.bench.lock .venv/ready
	$(BIN)/pip install --quiet --require-hashes -r requirements.bench.lock
	touch $@

.venv/docs: requirements.docs.lock .venv/ready
	$(BIN)/pip install --quiet --require-hashes -r requirements.docs.lock
	touch $@

figures: setup  ## make all figures at the paper's scale
	$(SNAKEMAKE)

smoke: setup  ## run the whole workflow at a small scale, into results/smoke
	$(SNAKEMAKE) --configfile config/smoke.yaml

sensitivity: setup  ## measure what our choices change and tune the baselines, into figures/
	$(SNAKEMAKE) sensitivity tuning

report: setup  ## make all figures, then one HTML file of figures, ledgers and notebooks: results/report.html
	$(SNAKEMAKE) pages
	$(BIN)/snakemake pages --report results/report.html

dag: setup  ## write the graph of the rules as mermaid: results/rulegraph.mmd
	mkdir -p results
	$(BIN)/snakemake --rulegraph mermaid-js -- pages > results/rulegraph.mmd

notebook: setup  ## open the notebooks in JupyterLab
	$(BIN)/jupyter lab notebooks

tables: setup  ## draw the picture of README, put the generated tables and counts into README.md and DEVIATIONS.md
	$(BIN)/python -m hdbwk.reporting.front
	$(BIN)/python -m hdbwk.reporting.documents

schema: setup  ## write what follows from the specs: the JSON schema, and the tables of config/README.md
	$(BIN)/python -m hdbwk.pipeline.schema

docs: setup .venv/docs  ## build the site: docs/_build/html/index.html
	$(BIN)/python -m sphinx --builder html --fail-on-warning --quiet docs docs/_build/html

article: setup .venv/docs  ## typeset the article: article/article.pdf
	$(BIN)/python article/build.py

release: setup .venv/docs  ## build wheel and sdist into dist/, check CITATION.cff, try the wheel in an empty environment
	rm -rf dist build
	$(BIN)/python -m build --no-isolation --outdir dist
	$(PYTHON) -m venv build/citation
	build/citation/bin/pip install --quiet --require-hashes -r requirements.release.lock
	build/citation/bin/cffconvert --validate
	$(PYTHON) -m venv build/empty
	sed -nE 's/^([a-z0-9._-]+)(\[[^]]*\])?(==[^ ]+).*/\1\3/p' requirements.lock > build/constraints.txt
	build/empty/bin/pip install --quiet --constraint build/constraints.txt dist/hdbwk-*.whl
	build/empty/bin/python .ci/try_wheel.py

test: setup  ## run the tests that answer within minutes, on all cores
	$(PYTEST) -m "not slow and not cluster"

test-slow: setup  ## run the others: kills, full disks, the examples of README, notebooks, the report in a browser
	$(PYTEST) -m "slow and not cluster"

test-all: test test-slow  ## run both

test-cluster: setup  ## run the workflow through a SLURM started for the purpose (as root, where SLURM is installed)
	$(BIN)/python -m pytest -m cluster tests/cluster

lint: setup  ## check style, types, imports and workflow
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

bench: setup .venv/bench  ## measure speed and memory against the targets and against other libraries, into figures/
	$(BIN)/python -m benchmarks

lock: setup  ## pin the newest versions that pyproject.toml allows
	$(COMPILE) $(EXTRAS) --output-file requirements.lock pyproject.toml
	for extra in bench docs; do \
	  $(COMPILE) --extra $$extra --constraint requirements.lock --output-file requirements.$$extra.lock pyproject.toml; done
	$(COMPILE) --output-file requirements.release.lock requirements.release.in

clean:  ## remove results, caches and .venv; figures stay
	rm -rf .venv .snakemake results build dist docs/_build docs/auto_examples docs/generated docs/notebooks .mypy_cache .pytest_cache .ruff_cache .hypothesis
