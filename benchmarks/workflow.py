"""The workflow: two cores against one, what starting its jobs costs, and the same figures by textbook methods."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import yaml

from benchmarks.bars import Bar, at_least, at_most
from benchmarks.textbook import textbook_seconds
from hdbwk.pipeline.chunks import chunk_names
from hdbwk.pipeline.config import Plan
from hdbwk.pipeline.loading import Raw, load_folder, merged
from hdbwk.pipeline.resolve import resolve
from hdbwk.pipeline.tables import read_origin

ROOT = Path(__file__).parent.parent
PARTS = ("Snakefile", "environment.yml", "profiles", "src", "workflow")
TRIALS, PER_JOB = 8, 4  # of every method of the bandit
TURNS = 2  # the shorter of which counts
Seconds = dict[tuple[str, str], float]  # experiment and method -> one trial


def bars() -> list[Bar]:
    """All bars of this file."""
    config = load_folder(ROOT / "config")
    plan = resolve(config)
    (one, _), (two, start_up) = runs_of_bandit(config)
    ours = trial_seconds(plan)
    trials = {name: plan.experiments[name].trials for name in plan.shown}
    simulating = sum(trials[kind] * seconds for (kind, _), seconds in ours.items())
    starting = start_up * sum(len(chunk_names(trials[k], plan.experiments[k].trials_per_job)) for k, _ in ours)
    textbook = sum(trials[kind] * seconds for (kind, _), seconds in textbook_seconds(plan.experiments, ours).items())
    work = simulating + starting
    hours = f"{textbook / 3600:.0f} against {work / 3600:.1f} core-hours"
    methods = len(plan.experiments["bandit"].methods)
    return [
        at_least(f"the {methods} methods of the bandit by Snakemake, 2 cores against 1", 1.8, one / two),
        at_most(f"share of starting jobs, {start_up:.1f} s each, in Figures 1 to 3", 0.1, starting / work, ""),
        at_least("Figures 1 to 3 against textbook and cvxpy, from single trials", 3, textbook / work, hours),
    ]


def runs_of_bandit(config: Raw) -> list[tuple[float, float]]:
    """The shortest run of the bandit on one core and that on two, taken in turns; kernels are there before."""
    sizes = {
        "bandit": {"trials": TRIALS, "trials_per_job": PER_JOB},
        "results": "results",
        "figures": "results/figures",
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in PARTS:
            (folder / part).symlink_to(ROOT / part)
        (folder / "config").mkdir()
        text = yaml.safe_dump(merged(config, sizes))
        (folder / "config/config.yaml").write_text(text, encoding="utf-8")
        snakemake(folder, 2, "results/kernels.txt")
        turns = [[run_bandit(folder, cores) for cores in (1, 2)] for _ in range(TURNS)]
    return [min(runs) for runs in zip(*turns, strict=True)]


def run_bandit(folder: Path, cores: int) -> tuple[float, float]:
    """Seconds that a run of the bandit takes on some cores, and what a job of it takes beyond its simulation."""
    start = time.perf_counter()
    snakemake(folder, cores, "results/bandit/trials.parquet")
    spent = time.perf_counter() - start, overhead(folder / "results")
    for made in ("bandit", "benchmarks"):
        shutil.rmtree(folder / "results" / made)
    return spent


def snakemake(folder: Path, cores: int, target: str) -> None:
    """Make one file in a folder; Snakemake itself has no other cores than its jobs."""
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), "--", target]
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[:cores])  # processes inherit it
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    os.sched_setaffinity(0, allowed)


def overhead(results: Path) -> float:
    """Mean seconds of a simulation's job, by Snakemake's own benchmark, less those in which it simulated."""
    benchmarks = list((results / "benchmarks/simulate").rglob("*.tsv"))
    jobs = sum(pd.read_csv(path, sep="\t")["s"].iloc[0] for path in benchmarks)
    simulated = sum(read_origin(path)["seconds"] for path in (results / "bandit").glob("*/*.parquet"))
    return (jobs - simulated) / len(benchmarks)


def trial_seconds(plan: Plan) -> Seconds:
    """What one trial of each method of the figures takes us."""
    found = {}
    for name in plan.shown:
        spec = plan.experiments[name]
        values = {0: law.benchmark(0, plan.seed).value} if (law := spec.fluid()) else None
        for method in spec.methods:
            start = time.process_time()
            spec.run_trials(method, [0], plan.seed, values)
            found[name, method] = time.process_time() - start
    return found
