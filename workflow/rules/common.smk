import logging
import os
import time
from functools import cache
from pathlib import Path

import pandas as pd
from hdbwk.pipeline import config as settings
from hdbwk.pipeline.chunks import chunk_names
from hdbwk.pipeline.monitor import Monitor, Planned
from hdbwk.pipeline.folders import obstacles
from hdbwk.ledgers.verdicts import counted
from hdbwk.reporting.pages import inert
from hdbwk.policies.registry import policy_class
from hdbwk.pipeline.sources import closure
from hdbwk.pipeline.tables import read_origin
from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.types import Quietness
from snakemake_interface_logger_plugins.common import LogEvent

START = time.time()

try:
    PLAN = settings.resolve(config)
except settings.ConfigError as error:
    raise WorkflowError(f"the configuration is refused:\n{error}")

RESULTS = PLAN.head.results
FIGURES = PLAN.head.figures
EXPERIMENTS = PLAN.experiments
SHOWN = {name: (label, figure) for label in PLAN.shown for name, figure in EXPERIMENTS[label].figures().items()}
FLUID = {
    settings.digest(law.model_dump(mode="json")): law
    for law in (spec.fluid() for spec in EXPERIMENTS.values())
    if law is not None
}
DATA = [name for name in ("warfarin",) if name in EXPERIMENTS]
UNKNOWN = [name for name in PLAN.names("rates") if name.startswith("rates_unknown_")]
LEDGERS = ["claims", "rates", "assumptions", *DATA, *(["levels"] if UNKNOWN else [])]
METHODS = sorted({method for spec in EXPERIMENTS.values() for method in spec.methods})

# One core for each job: threads inside a linear algebra call would fight over the cores of the other jobs.
for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"


wildcard_constraints:
    experiment="|".join(EXPERIMENTS),
    method="|".join(METHODS),
    chunk="[0-9]+-[0-9]+",
    instance="[0-9a-f]+",
    figure="|".join(SHOWN),


def get_final_output():
    """Figures and ledgers, and the chunks behind them: a chunk that was deleted is simulated again."""
    figures = expand(f"{FIGURES}/{{name}}.{{ext}}", name=[*SHOWN, "fig4_rates"], ext=["pdf", "png", "csv"])
    ledgers = expand(f"{FIGURES}/{{name}}.{{ext}}", name=LEDGERS, ext=["csv", "md"])
    times = expand(f"{RESULTS}/times/{{name}}.csv", name=["claims", "rates"])
    simulated = [*PLAN.shown, *PLAN.names("rates")]
    return [*figures, *ledgers, *times, *(chunk for experiment in simulated for chunk in chunks_of(experiment))]


def package(*modules):
    """The files that a job is made of, relative to the working directory where possible."""
    return [os.path.relpath(path) for path in closure(*modules)]


def code_of(wildcards):
    """The code that decides a job's numbers: its experiment, and the policy that it runs, be it the user's own."""
    spec = EXPERIMENTS[wildcards.experiment]
    return package("hdbwk.experiments.registry", "hdbwk.pipeline.tables", *spec.code(wildcards.method))


@cache
def fluid_name(experiment):
    """The name of the benchmarks of an experiment; those that draw the same instances share them."""
    law = EXPERIMENTS[experiment].fluid()
    return law and settings.digest(law.model_dump(mode="json"))


def fluid_of(wildcards):
    """The benchmarks of a job's trials, if it needs any."""
    name = fluid_name(wildcards.experiment)
    return [f"{RESULTS}/fluid/{name}/{wildcards.chunk}.parquet"] if name else []


def fluid_origin(instance, chunk):
    """What the benchmarks of a chunk of trials say of their origin."""
    return {"instance": instance, "chunk": chunk, "seed": PLAN.seed, "version": settings.__version__}


@cache
def chunks_of(experiment):
    """All chunks of an experiment."""
    spec = EXPERIMENTS[experiment]
    return expand(
        f"{RESULTS}/{experiment}/{{method}}/{{chunk}}.parquet",
        method=spec.methods,
        chunk=chunk_names(spec.trials, spec.trials_per_job),
    )


def job_spec(wildcards):
    """What decides the numbers of a job; an edit of anything else in the configuration reruns nothing."""
    return EXPERIMENTS[wildcards.experiment].job(wildcards.method)


@cache
def origins_of(experiment):
    """What the chunks of an experiment must say of their origin."""
    spec = EXPERIMENTS[experiment]
    return {method: settings.origin(spec, method, PLAN.seed) for method in spec.methods}


@cache
def table_origin(experiment, table):
    """What a table of all methods of an experiment must say of its origin."""
    origin = settings.trials_origin if table == "trials" else settings.run_origin
    return origin(EXPERIMENTS[experiment], PLAN.seed)


def trials_origins(*experiments):
    """What the tables of all trials of some experiments must say of their origin, by name."""
    return {name: table_origin(name, "trials") for name in experiments}


def figure_module(name):
    """The module that draws a figure."""
    experiment, figure = SHOWN[name]
    return f"{EXPERIMENTS[experiment].folder()}.{figure.module}"


def tables_of(wildcards):
    """The tables that a figure shows."""
    experiment, figure = SHOWN[wildcards.figure]
    return [f"{RESULTS}/{experiment}/{table}.parquet" for table in figure.tables]


def ledger_settings(*experiments):
    """The rules' numbers and the experiments that a ledger reads."""
    specs = {name: EXPERIMENTS[name].dump() for name in experiments}
    return inert({"ledgers": PLAN.head.ledgers.model_dump(), **specs})


def notebook(name):
    """A notebook of this workflow, wherever the workflow is run."""
    return os.path.relpath(workflow.source_path(f"../../notebooks/{name}.ipynb"))


def check_places():
    """Refuse to start where results cannot be written: Snakemake would take a directory for a finished file."""
    tables = [f"{RESULTS}/{name}/trials.parquet" for name in EXPERIMENTS]
    chunks = [chunk for name in EXPERIMENTS for chunk in chunks_of(name)]
    lines = list(obstacles([RESULTS, FIGURES], [*get_final_output(), *tables, *chunks]))
    if lines:
        raise WorkflowError("\n".join(lines))


check_places()


def cores():
    """How many jobs run at once: one core each; on a cluster, the jobs that it is given."""
    return workflow.resource_settings.nodes or workflow.cores


def utilisation():
    """How much of the cores' time in this run was spent inside simulations."""
    paths = (Path(chunk) for name in EXPERIMENTS for chunk in chunks_of(name))
    chunks = [path for path in paths if path.exists() and path.stat().st_mtime >= START]
    seconds = sum(read_origin(path)["seconds"] for path in chunks)
    wall = time.time() - START
    share = seconds / (cores() * wall)
    return f"{len(chunks)} jobs simulated for {seconds:.0f} s: {share:.0%} of {cores()} cores x {wall:.0f} s"


def verdict_counts():
    """How the ledgers judge the paper, one line for each."""
    lines = []
    for name in filter(lambda ledger: Path(f"{FIGURES}/{ledger}.csv").exists(), LEDGERS):
        table = pd.read_csv(f"{FIGURES}/{name}.csv", keep_default_na=False)
        if name == "levels":
            continue
        rows = table.drop_duplicates("claim") if name == "claims" else table
        rows = rows[~rows["control"]] if "control" in rows else rows
        lines.append(f"{name}: {counted(rows['verdict'])}")
    return "\n".join(lines)


class Announcer(logging.Handler):
    """After each job, says in Snakemake's own log how many simulations are done and what is known of the time left."""

    def __init__(self):
        super().__init__()
        chunks = {chunk for experiment in EXPERIMENTS for chunk in chunks_of(experiment)}
        jobs = {job.output[0]: job for job in workflow.dag.needrun_jobs() if not chunks.isdisjoint(job.output)}
        self.monitor = Monitor({Path(chunk): self.planned(job) for chunk, job in jobs.items()}, cores())

    @staticmethod
    def planned(job):
        algorithm = EXPERIMENTS[job.wildcards.experiment].methods[job.wildcards.method].name
        return Planned(job.params.origin, (job.wildcards.experiment, algorithm))

    def emit(self, record):
        if getattr(record, "event", None) == LogEvent.PROGRESS and self.monitor.waiting:
            self.monitor.update()
            jobs = f"jobs done: {record.done} of {record.total}"
            logger.info(f"{jobs}, {self.monitor.line()}", extra={"quietness": Quietness.PROGRESS})
