"""Progress is shown when asked for, and changes nothing."""

import heapq
import os
import re
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.specs import smoke

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.core.progress import watched
from hdbwk.environments import CBwKInstance
from hdbwk.pipeline import monitor
from hdbwk.pipeline.monitor import Monitor, Planned, duration, times_by_rule
from hdbwk.pipeline.tables import write_table


def test_without_progress_the_items_are_untouched(capsys):
    items = [1, 2]
    assert watched(items, "label", "items", progress=False) is items
    assert capsys.readouterr().err == ""


def test_a_policy_plays_alike_under_a_progress_bar(capsys):
    instance = CBwKInstance.draw(rng(1, "instance"), 20, 3, 3, 2)
    stream = instance.sample(60, rng(1, "stream"), value=1.0)

    def play(progress):
        info = InstanceInfo(20, 3, 60, rng(1, "policy"), rho=instance.rho, value=1.0)
        return simulate(make_policy("primal_dual", info, explore=10), stream, progress=progress)

    silent = play(False)
    assert capsys.readouterr().err == ""
    watched_record = play(True)
    shown = capsys.readouterr()
    assert "PrimalDual" in shown.err
    assert "rounds" in shown.err
    assert shown.out == ""
    for name in ("arm", "reward", "regret", "consumption", "prices"):
        np.testing.assert_array_equal(getattr(watched_record, name), getattr(silent, name))


@pytest.mark.parametrize(
    ("kind", "method"), [("recovery", "online_ht_s10"), ("bandit", "uniform"), ("cbwk", "lincbwk")]
)
def test_trials_are_alike_under_progress_bars(kind, method, capsys):
    spec = smoke(kind, dim=60, horizon=40, **({} if kind == "recovery" else {"horizons": [40]}))
    silent = spec.run_trials(method, range(2), seed=1)
    assert capsys.readouterr().out.count("took") == 2
    watched_table = spec.run_trials(method, range(2), seed=1, progress=True)
    shown = capsys.readouterr()
    pd.testing.assert_frame_equal(watched_table, silent, check_exact=True)
    assert method in shown.err
    assert "2/2" in shown.err
    assert shown.out == ""


ORIGIN = {"config": "abc"}


def write_chunk(path, seconds, origin=ORIGIN):
    write_table(pd.DataFrame({"trial": [0]}), path, {**origin, "seconds": seconds})


def watch(chunks, cores=1):
    """A monitor of chunks EXPERIMENT/METHOD/CHUNK, whose methods are of different kinds."""
    return Monitor({chunk: Planned(ORIGIN, chunk.parts[-3:-1]) for chunk in chunks}, cores)


def test_the_monitor_counts_the_trials_of_chunks_that_are_written(tmp_path):
    chunks = [tmp_path / "slow/0000-0024.parquet", tmp_path / "slow/0025-0029.parquet"]
    watcher = watch(chunks)
    assert watcher.line() == "simulations done: 0 of 30"
    write_chunk(chunks[0], 25.0)
    watcher.update()
    assert watcher.line().startswith("simulations done: 25 of 30, about ")
    write_chunk(chunks[1], 5.0)
    watcher.update()
    assert watcher.line() == "simulations done: 30 of 30"


def test_a_chunk_of_an_earlier_run_is_to_be_done_but_says_what_it_costs(tmp_path):
    chunk = tmp_path / "method/0000-0009.parquet"
    write_chunk(chunk, 137.0)
    os.utime(chunk, (1, 1))
    watcher = watch([chunk])
    watcher.update()
    assert watcher.line() == "simulations done: 0 of 10, about 70 seconds left"  # half of 137 + 3


def test_a_chunk_of_another_configuration_says_nothing_of_the_cost(tmp_path):
    chunk = tmp_path / "method/0000-0009.parquet"
    write_chunk(chunk, 50.0, {"config": "of a smaller run"})
    os.utime(chunk, (1, 1))
    assert watch([chunk]).line() == "simulations done: 0 of 10"


def test_a_chunk_that_cannot_be_read_does_not_stop_the_monitor(tmp_path):
    chunk = tmp_path / "method/0000-0009.parquet"
    watcher = watch([chunk])
    chunk.parent.mkdir()
    chunk.write_text("no parquet")
    watcher.update()
    assert watcher.line() == "simulations done: 10 of 10"


KINDS = {  # experiment: chunks of a method, trials of each, and the seconds of a trial of each method by algorithm
    "rates_dual": (1, 25, {"dual": [4.0, 4.0]}),
    "rates_dim": (1, 20, {"resolving": [8.0], "primal_dual": [0.6], "lincbwk": [1.5]}),
    "cbwk": (2, 25, {"resolving": [5.0, 7.5, 6.0, 8.0], "primal_dual": [0.4, 0.5, 0.6], "lincbwk": [0.7, 0.7]}),
    "recovery": (2, 25, {"online_ht": [0.1, 0.1, 0.1, 0.1], "lasso": [0.6, 0.9, 1.2]}),
    "bandit": (1, 50, {"online_ht": [0.2] * 10, "lasso": [0.4] * 4, "controls": [0.01, 0.01]}),
    "rates": (1, 100, {"estimation": [0.4] * 6}),
}


def jobs_of_the_paper():
    """Chunk, kind and seconds of each job, in the order in which Snakemake takes them: large inputs first."""
    for name, (chunks, trials, algorithms) in KINDS.items():
        for algorithm, costs in algorithms.items():
            for method, cost in enumerate(costs):
                for i in range(chunks):
                    chunk = f"{name}/{algorithm}_{method}/{i * trials:04d}-{(i + 1) * trials - 1:04d}.parquet"
                    yield Path(chunk), (name, algorithm), trials * cost


def ends_of(jobs, cores, slowness):
    """When each chunk is written if each core takes the next job as soon as it is free."""
    free, ends = [90.0] * cores, {}  # kernels are compiled first
    for chunk, _, cost in jobs:
        ends[chunk] = free[0] + slowness * (cost + 3)
        heapq.heapreplace(free, ends[chunk])
    return ends


def announcements(jobs, monkeypatch, cores=2, slowness=1.0):
    """Words and seconds that the monitor says at the end of each job, with the seconds that were truly left."""
    ends = ends_of(jobs, cores, slowness)
    clock, written, seconds = [0.0], {}, {chunk: cost for chunk, _, cost in jobs}
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(monitor, "_modified", lambda chunk: written.get(chunk, 0.0))
    monkeypatch.setattr(monitor, "read_origin", lambda chunk: {"seconds": seconds[chunk]} if chunk in written else {})
    monkeypatch.setattr(monitor, "duration", str)
    watcher = Monitor({chunk: Planned({}, kind) for chunk, kind, _ in jobs}, cores)
    clock[0] = 90.0
    watcher.update()
    said = []
    for chunk in sorted(ends, key=ends.get):
        clock[0] = written[chunk] = ends[chunk]
        watcher.update()
        words = re.search(r"(about|at least) (\S+) left", watcher.line())
        said += [(words[1], float(words[2]), max(ends.values()) - clock[0])] if words else []
    return said


def schedules():
    paper = list(jobs_of_the_paper())
    yield from (paper, paper[::-1], sorted(paper, key=lambda job: job[2]), sorted(paper, key=lambda job: -job[2]))
    yield from ([paper[i] for i in rng(1, "schedule", k).permutation(len(paper))] for k in range(6))


SCHEDULES = list(schedules())


def assert_worth_something(said, longest):
    """Bounds hold; estimates are right up to half, and up to the jobs that are under way."""
    for word, seconds, truth in said:
        low, high = (0, 1.1 * truth) if word == "at least" else (truth / 2 - longest, 1.5 * truth + longest)
        assert low <= seconds <= high


@pytest.mark.parametrize("cores", [1, 2, 8])
@pytest.mark.parametrize("jobs", SCHEDULES, ids=range(len(SCHEDULES)))
def test_what_is_said_of_the_time_left_is_worth_something(jobs, cores, monkeypatch):
    """The run of the paper takes 24 minutes on 2 cores; once its time left was given as 2.5 hours."""
    assert_worth_something(announcements(jobs, monkeypatch, cores), max(cost for *_, cost in jobs))


def test_something_is_said_before_the_middle_of_a_run_in_mixed_order(monkeypatch):
    total = max(ends_of(SCHEDULES[4], 2, 1.0).values())
    assert 20 * 60 < total < 28 * 60
    assert max(truth for *_, truth in announcements(SCHEDULES[4], monkeypatch)) > total / 2


def test_time_left_grows_with_what_others_take_of_the_machine(monkeypatch):
    jobs = [(Path(f"e/m/{i:04d}-{i:04d}.parquet"), "kind", 60.0) for i in range(20)]
    said = announcements(jobs, monkeypatch, cores=2, slowness=3.0)
    assert len(said) == len(jobs) - 1
    assert_worth_something(said, longest=3 * 63.0)


def test_durations_are_short():
    assert [duration(s) for s in (5, 89, 91, 5399, 7200)] == [
        "5 seconds",
        "89 seconds",
        "2 minutes",
        "90 minutes",
        "2.0 hours",
    ]


def test_times_are_summed_up_by_rule(tmp_path):
    """The longest rule first; benchmark files of an earlier run, and of jobs that wrote none, do not count."""
    spent = {"short": [1.5], "long": [2.0, 6.5], "earlier": [100.0]}
    paths = [(rule, tmp_path / f"{rule}{k}.tsv") for rule, times in spent.items() for k in range(len(times))]
    for (_, path), seconds in zip(paths, (s for times in spent.values() for s in times), strict=True):
        path.write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:01\t50.0\n")
    os.utime(tmp_path / "earlier0.tsv", (0, 0))
    lines = times_by_rule([*paths, ("missing", tmp_path / "missing.tsv")], since=1.0).splitlines()
    assert lines == ["long: 8 s in 2 jobs, 85%, the longest 6.5 s", "short: 2 s in 1 jobs, 15%, the longest 1.5 s"]
