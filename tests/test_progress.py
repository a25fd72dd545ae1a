"""Progress is shown when asked for, and changes nothing."""

import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.config import experiment, load, merged
from hdbwk.environments import CBwKInstance, RecoveryInstance
from hdbwk.estimators import OnlineHT
from hdbwk.experiments import run_trials
from hdbwk.experiments.monitor import Monitor, duration
from hdbwk.progress import watched
from hdbwk.simulation import recover
from hdbwk.tables import write_table

ROOT = Path(__file__).parent.parent
SMOKE = load(ROOT / "config/config.yaml", ROOT / "config/smoke.yaml")


def test_without_progress_the_items_are_untouched(capsys):
    items = [1, 2]
    assert watched(items, "label", "items", progress=False) is items
    assert capsys.readouterr().err == ""


def test_a_policy_plays_alike_under_a_progress_bar(capsys):
    instance = CBwKInstance.draw(rng(1, "instance"), 20, 3, 3, 2)
    stream = instance.sample(60, rng(1, "stream"), value=1.0)

    def play(progress):
        info = InstanceInfo(20, 3, 60, rng(1, "policy"), rho=instance.rho, value=1.0)
        return simulate(make_policy("primal_dual", info, sparsity=3, explore=10), stream, progress=progress)

    silent = play(False)
    assert capsys.readouterr().err == ""
    watched_record = play(True)
    shown = capsys.readouterr()
    assert "PrimalDual" in shown.err
    assert "rounds" in shown.err
    assert shown.out == ""
    for name in ("arm", "reward", "regret", "consumption", "prices"):
        np.testing.assert_array_equal(getattr(watched_record, name), getattr(silent, name))


def test_an_estimator_recovers_alike_under_a_progress_bar(capsys):
    instance = RecoveryInstance.draw(rng(1, "instance"), 20, 3)
    stream = instance.sample(40, rng(1, "stream"))
    tables = [recover(OnlineHT(3), instance, stream, [20, 40], progress) for progress in (False, True)]
    pd.testing.assert_frame_equal(*tables, check_exact=True)
    assert "OnlineHT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "method"), [("recovery", "online_ht_s10"), ("bandit", "uniform"), ("cbwk", "lincbwk")]
)
def test_trials_are_alike_under_progress_bars(kind, method, capsys):
    spec = merged(experiment(SMOKE, kind), {"dim": 60, "horizon": 40, "horizons": [40]})
    silent = run_trials(spec, method, range(2), seed=1)
    assert capsys.readouterr().out.count("took") == 2
    watched_table = run_trials(spec, method, range(2), seed=1, progress=True)
    shown = capsys.readouterr()
    pd.testing.assert_frame_equal(watched_table, silent, check_exact=True)
    assert method in shown.err
    assert "2/2" in shown.err
    assert shown.out == ""


def write_chunk(path, seconds):
    write_table(pd.DataFrame({"trial": [0]}), path, {"seconds": seconds})


def test_the_monitor_counts_the_trials_of_chunks_that_are_written(tmp_path):
    chunks = [tmp_path / "slow/0000-0024.parquet", tmp_path / "slow/0025-0029.parquet"]
    monitor = Monitor(chunks)
    assert monitor.line() == "simulations done: 0 of 30"
    write_chunk(chunks[0], 25.0)
    monitor.update()
    assert monitor.line().startswith("simulations done: 25 of 30, about ")
    write_chunk(chunks[1], 5.0)
    monitor.update()
    assert monitor.line() == "simulations done: 30 of 30"


def test_time_left_follows_the_work_that_is_left(tmp_path, monkeypatch):
    chunks = [
        tmp_path / f"{method}/{chunk}.parquet" for method in ("slow", "fast") for chunk in ("0000-0024", "0025-0049")
    ]
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monitor = Monitor(chunks)
    assert monitor.seconds_left() is None
    write_chunk(chunks[0], 97.0)
    write_chunk(chunks[2], 7.0)
    monitor.update()
    now[0] = 155.0
    assert monitor.seconds_left() == pytest.approx(55.0)  # half of the work took 55 s
    write_chunk(chunks[1], 97.0)
    monitor.update()
    now[0] = 205.0
    assert monitor.seconds_left() == pytest.approx(105.0 * 10 / 210)


def test_a_chunk_of_an_earlier_run_is_to_be_done_but_says_what_it_costs(tmp_path):
    chunk = tmp_path / "method/0000-0009.parquet"
    write_chunk(chunk, 50.0)
    os.utime(chunk, (1, 1))
    monitor = Monitor([chunk])
    monitor.update()
    assert monitor.line() == "simulations done: 0 of 10"
    assert monitor.seconds == {chunk.parent: 5.0}


def test_a_chunk_that_cannot_be_read_does_not_stop_the_monitor(tmp_path):
    chunk = tmp_path / "method/0000-0009.parquet"
    monitor = Monitor([chunk])
    chunk.parent.mkdir()
    chunk.write_text("no parquet")
    monitor.update()
    assert monitor.line() == "simulations done: 10 of 10"


def test_durations_are_short():
    assert [duration(s) for s in (5, 89, 91, 5399, 7200)] == [
        "5 seconds",
        "89 seconds",
        "2 minutes",
        "90 minutes",
        "2.0 hours",
    ]
