"""What a round of each method costs: all methods one after the other in one process, on the same trial."""

import time

import pandas as pd

from hdbwk.experiments.bandit.spec import Bandit
from hdbwk.experiments.cbwk.spec import CBwK
from hdbwk.simulation.loop import simulate

REPEATS = 2  # the least time counts; the first run of a method may load its kernels


def times(spec: Bandit | CBwK, seed: int, trial: int = 0) -> pd.DataFrame:
    """Seconds of processor time of a round of each method, on the first law of instances, loop included."""
    _, first = next(iter(spec.sizes()))
    assert isinstance(first, Bandit | CBwK)
    known = {"value": first.benchmark(trial, seed).value} if isinstance(first, CBwK) else {}
    rows = []
    for method in spec.methods:
        runs = [_seconds(first, method, trial, seed, known) for _ in range(REPEATS)]
        rows.append({"method": method, "seconds": min(runs) / first.horizon})
    return pd.DataFrame(rows)


def _seconds(spec: Bandit | CBwK, method: str, trial: int, seed: int, known: dict[str, float]) -> float:
    run = spec.part("trial").start(spec, method, trial, seed, spec.horizon, **known)
    begin = time.process_time()
    simulate(*run)
    return time.process_time() - begin
