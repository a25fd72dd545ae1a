"""The project's files agree with each other."""

import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest
import yaml
from helpers.specs import plan

import hdbwk
from hdbwk.pipeline.sources import closure
from hdbwk.reporting.documents import DOCUMENTS, filled
from hdbwk.reporting.tables import markdown

ROOT = Path(__file__).parents[2]
LOCK, BENCH_LOCK, DOCS_LOCK = (
    dict(re.findall(r"^([a-z0-9-]+)(?:\[[a-z,-]+\])?==(\S+)", (ROOT / name).read_text(), re.MULTILINE))
    for name in ("requirements.lock", "requirements.bench.lock", "requirements.docs.lock")
)
PAGES = [path for pattern in ("*.md", "config/*.md", "docs/*.md", "docs/[a-z]*/*.md") for path in ROOT.glob(pattern)]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def name_of(requirement):
    return re.match(r"[A-Za-z0-9-]+", requirement)[0].lower()


def test_conda_users_get_the_versions_of_the_lock():
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pinned = dict(dependency.split("=") for dependency in dependencies if "=" in dependency)
    del pinned["python"]
    assert pinned == {name: LOCK[name] for name in pinned}
    needed = [
        *PROJECT["dependencies"],
        *(r for e in ("workflow", "notebooks", "textbook", "test") for r in PROJECT["optional-dependencies"][e]),
    ]
    assert {name_of(requirement) for requirement in needed} <= set(pinned)


@pytest.mark.parametrize(("lock", "own"), [(LOCK, None), (BENCH_LOCK, "bench"), (DOCS_LOCK, "docs")])
def test_a_lock_holds_its_requirements_with_hashes_and_no_address(lock, own):
    text = (ROOT / (f"requirements.{own}.lock" if own else "requirements.lock")).read_text()
    extras = PROJECT["optional-dependencies"]
    chosen = [own] if own else [extra for extra in extras if extra not in ("bench", "docs")]
    for requirement in [*PROJECT["dependencies"], *(r for extra in chosen for r in extras[extra])]:
        assert name_of(requirement) in lock
    assert text.count("--hash=sha256:") >= len(lock)
    assert "://" not in text


@pytest.mark.parametrize("lock", [BENCH_LOCK, DOCS_LOCK], ids=["bench", "docs"])
def test_the_lock_of_an_extra_changes_no_version_of_the_other(lock):
    assert {name: version for name, version in lock.items() if LOCK.get(name, version) != version} == {}
    assert set(LOCK).isdisjoint({"abess", "celer", "skglm", "sphinx", "typst"})


def test_citation_names_the_version_of_the_package():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == hdbwk.__version__


@pytest.mark.parametrize("name", DOCUMENTS)
def test_tables_in_documents_are_those_of_the_figures_folder(name):
    text = (ROOT / name).read_text()
    assert filled(text, ROOT) == text, f"{name} is out of date: run make tables"


@pytest.mark.parametrize("document", [path.relative_to(ROOT).as_posix() for path in PAGES])
def test_relative_links_and_pictures_exist(document):
    text = (ROOT / document).read_text()
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    made = ("auto_examples", "notebooks/")  # by the build of the site
    links = [link for link in links if link and not any(part in link for part in made)]
    assert [link for link in links if not (ROOT / document).parent.joinpath(link).exists()] == []


def test_every_variant_of_the_sensitivity_table_has_a_row_in_deviations():
    text = (ROOT / "DEVIATIONS.md").read_text().split("<!-- from")[0]
    assert [variant for variant in plan().names("sensitivity") if f"`{variant}`" not in text] == []


def test_baselines_use_the_value_that_tuning_found_best():
    table = pd.read_csv(ROOT / "figures/tuning.csv").set_index("tuning")
    entries = plan().head.tuning.entries
    assert set(table.index) == set(entries)
    for label, entry in entries.items():
        rows = table.loc[label]
        used = getattr(plan().experiments[entry.base].methods[entry.method], entry.key)
        assert rows[rows["best"]]["value"].tolist() == [used]


@pytest.mark.parametrize("name", ["claims", "rates", "assumptions", "sensitivity", "tuning"])
def test_a_ledger_for_people_says_what_its_table_says(name):
    ledger = importlib.import_module(f"hdbwk.ledgers.{name}")
    shown = ledger.shown(pd.read_csv(ROOT / f"figures/{name}.csv"))
    assert markdown(shown) == (ROOT / f"figures/{name}.md").read_text()


def test_every_published_control_failed():
    table = pd.read_csv(ROOT / "figures/rates.csv")
    assert set(table[table["control"]]["verdict"]) == {"not reproduced"}
    assert set(table[table["control"]]["family"]) == set(table["family"])


def test_the_cluster_profile_groups_all_rules_but_the_long_ones():
    text = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    rules = {new or old for old, new in re.findall(r"^(?:use )?rule (\w+)(?: as (\w+) with)?:", text, re.MULTILINE)}
    profile = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text())
    assert set(profile["groups"]) == rules - {
        "kernels",
        "simulate",
        "fluid",
        "budgets",
        "assumptions",
        "notebooks",
        "pages",
    }
    assert set(profile["set-resources"]) <= rules


def test_public_names_are_there():
    for name in hdbwk.__all__:
        assert getattr(hdbwk, name) is not None
    with pytest.raises(AttributeError, match="No hdbwk attribute nothing"):
        _ = hdbwk.nothing


@pytest.mark.slow
def test_a_wheel_holds_all_files_of_the_package_and_works(tmp_path):
    for part in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / part, tmp_path)
    shutil.copytree(ROOT / "config", tmp_path / "config")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path]
    subprocess.run([*build, tmp_path], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "unpacked", "zip")
    files = {path.relative_to(tmp_path / "src") for path in (tmp_path / "src").rglob("*") if path.is_file()}
    shipped = {Path("hdbwk/config") / path.name for path in (ROOT / "config").glob("*.yaml")}
    assert {path for path in files if "egg-info" not in str(path)} | shipped == {
        path.relative_to(tmp_path / "unpacked") for path in (tmp_path / "unpacked/hdbwk").rglob("*") if path.is_file()
    }
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "unpacked")}
    code = "import hdbwk; print(hdbwk.__file__, hdbwk.OnlineHT)"
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.startswith(str(tmp_path / "unpacked"))
    elsewhere, listing = {**environment, "PYTHONSAFEPATH": "1"}, [sys.executable, "-m", "hdbwk", "list"]
    run = subprocess.run(listing, cwd="/", env=elsewhere, capture_output=True, text=True, check=True)
    assert "cbwk:" in run.stdout


def test_code_of_an_experiment_is_what_it_imports():
    files = {path.relative_to(ROOT / "src/hdbwk").as_posix() for path in closure("hdbwk.experiments.recovery.trial")}
    assert {"estimators/online_ht/gram.py", "estimators/lasso.py", "core/seeds.py", "metrics/trial.py"} <= files
    assert files.isdisjoint({"plotting/style.py", "metrics/summary.py", "pipeline/config.py", "simulation/loop.py"})


def test_an_edited_kernel_is_compiled_anew_where_another_file_calls_it(tmp_path):
    """Numba's own cache would go on using the old one: it looks at the caller's file alone."""
    package = shutil.copytree(ROOT / "src/hdbwk", tmp_path / "hdbwk")
    code = (
        "import numpy as np; from hdbwk.estimators.registry import *; bank = make_bank(OnlineHTParams(), 1, 1, 4);"
        "bank.update(np.eye(4)[0], 0, np.ones(1), 1.0); print(bank.coef[0, 0, 0])"
    )
    kernels = package / "estimators/online_ht/algorithm.py"
    results = []
    for factor in ("weight * responses[k]", "3.0 * weight * responses[k]"):
        kernels.write_text(kernels.read_text().replace("weight * responses[k]", factor))
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_OPT": "0"}  # quick to compile
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        results.append(float(run.stdout))
    assert results == [1.0, 3.0]
