import os
import time
from importlib.util import find_spec
from pathlib import Path

from hdbwk import config as settings
from hdbwk.experiments.chunks import chunk_names
from hdbwk.policies.registry import POLICIES
from hdbwk.sources import closure
from hdbwk.tables import read_origin
from snakemake.exceptions import WorkflowError

START = time.time()
SCHEMA = workflow.source_path("../schemas/config.schema.yaml")

try:
    settings.check(config, SCHEMA)
except settings.ConfigError as error:
    raise WorkflowError(f"the configuration is refused:\n{error}")

RESULTS = config["results"]
FIGURES = config["figures"]
EXPERIMENTS = {name: settings.experiment(config, name) for name in settings.experiment_names(config)}
INSTANCES = {
    settings.digest(instance): instance
    for instance in (settings.instance_spec(spec) for spec in EXPERIMENTS.values() if spec["kind"] == "cbwk")
}
METHODS = sorted({method for spec in EXPERIMENTS.values() for method in spec["methods"]})

# One core for each job: threads inside a linear algebra call would fight over the cores of the other jobs.
for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"


wildcard_constraints:
    experiment="|".join(EXPERIMENTS),
    method="|".join(METHODS),
    chunk="[0-9]+-[0-9]+",
    instance="[0-9a-f]+",


def get_final_output():
    """The figures, and the chunks behind them: a chunk that was deleted is simulated again."""
    figures = expand(
        f"{FIGURES}/{{name}}.{{ext}}",
        name=["fig1_recovery", "fig2_bandit", "fig3_cbwk", "fig3b_budgets"],
        ext=["pdf", "png", "csv"],
    )
    return [
        *figures,
        *(chunk for experiment in settings.KINDS for chunk in chunks_of(experiment)),
    ]


def package(*modules):
    """The files of the package that a job is made of, relative to the working directory where possible."""
    return [os.path.relpath(path) for path in closure(*modules)]


def code_of(wildcards):
    """The code that decides a job's numbers: its experiment, and the policy that it runs, be it the user's own."""
    spec = EXPERIMENTS[wildcards.experiment]
    modules = ["hdbwk.experiments", f"hdbwk.experiments.{spec['kind']}", "hdbwk.tables"]
    return policy_code(*modules, methods=[] if spec["kind"] == "recovery" else [spec["methods"][wildcards.method]])


def policy_code(*modules, methods):
    """The files of modules and of the policies of some methods."""
    homes = [POLICIES.get(method["name"], method["name"]).partition(":")[0] for method in methods]
    own = [home for home in homes if home.startswith("hdbwk.")]
    foreign = sorted(set(homes) - set(own))
    return [*package(*modules, *own), *(os.path.relpath(find_spec(home).origin) for home in foreign)]


def fluid_of(wildcards):
    """The benchmarks of a job's trials; experiments that draw the same instances share them."""
    spec = EXPERIMENTS[wildcards.experiment]
    if spec["kind"] != "cbwk":
        return []
    return [f"{RESULTS}/fluid/{settings.digest(settings.instance_spec(spec))}/{wildcards.chunk}.parquet"]


def chunks_of(experiment):
    """All chunks of an experiment."""
    spec = EXPERIMENTS[experiment]
    return expand(
        f"{RESULTS}/{experiment}/{{method}}/{{chunk}}.parquet",
        method=spec["methods"],
        chunk=chunk_names(spec["trials"], config["trials_per_job"]),
    )


def job_spec(wildcards):
    """What decides the numbers of a job; an edit of anything else in the configuration reruns nothing."""
    return settings.job_spec(EXPERIMENTS[wildcards.experiment], wildcards.method)


def origins(wildcards):
    """What the chunks of an experiment must say of their origin."""
    spec = EXPERIMENTS[wildcards.experiment]
    return {method: settings.origin(spec, method, config["seed"]) for method in spec["methods"]}


def utilisation():
    """How much of the cores' time in this run was spent inside simulations."""
    paths = (Path(chunk) for name in EXPERIMENTS for chunk in chunks_of(name))
    chunks = [path for path in paths if path.exists() and path.stat().st_mtime >= START]
    seconds = sum(read_origin(path)["seconds"] for path in chunks)
    wall = time.time() - START
    share = seconds / (workflow.cores * wall)
    return f"{len(chunks)} jobs simulated for {seconds:.0f} s: {share:.0%} of {workflow.cores} cores x {wall:.0f} s"
