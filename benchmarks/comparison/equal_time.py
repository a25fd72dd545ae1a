"""
Error at equal time: a clock on which our T rounds just fit.

Rows arrive evenly while the clock runs as long as our T rounds take, each with an estimate. Every contender
works all that time: when it is free, it takes in the rows that have arrived (the textbook, which cannot skip
an estimate, one row at a time), and its new estimate counts from the moment at which it is done. An estimate
that comes after the end does not count. Before its first estimate a contender holds zero.
"""

import math
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.comparison.contenders import CONTENDERS, Contender
from benchmarks.comparison.rounds import NOT_INSTALLED, Row, squared_error
from benchmarks.comparison.sizes import Sizes, recovery

EVERY = 10  # the error is read every so many rounds


def equal_time(sizes: Sizes) -> Iterator[Row]:
    """The error that a contender holds at rounds on a grid."""
    T = sizes.horizon
    mu, stream = recovery(sizes.dim, T)
    X, y = stream.contexts, stream.rewards
    budget = min(one_run(CONTENDERS["ours, auto"], X, y) for _ in range(3))
    for name, contender in CONTENDERS.items():
        row = {"comparison": "equal time", "contender": name, "d": sizes.dim}
        if not contender.installed:
            yield row | {"t": T, "note": NOT_INSTALLED}
            continue
        errors, estimates = race(contender, X, y, mu, budget)
        for t in range(EVERY, T + 1, EVERY):
            yield row | {"t": t, "error": errors[t - 1]}
        yield row | {"comparison": "estimates", "t": T, "seconds": budget, "estimates": estimates}


def one_run(contender: Contender, X: np.ndarray, y: np.ndarray) -> float:
    """Seconds of all rounds, with an estimate after each."""
    learner = contender.make()
    start = time.perf_counter()
    for i in range(len(X)):
        learner.update(X[i : i + 1], y[i : i + 1])
    return time.perf_counter() - start


def race(contender: Contender, X: np.ndarray, y: np.ndarray, mu: np.ndarray, budget: float) -> tuple[np.ndarray, int]:
    """The error held after each of the T rounds, and the number of estimates that came in time."""
    T = len(X)
    learner = contender.make()
    errors = np.full(T, squared_error(np.zeros_like(mu), mu))
    clock, used, estimates = 2 * budget / T, 0, 0  # all begin with two rows: skglm compiles anew for one
    while used < T:
        arrived = min(T, int(T * clock / budget * (1 + 1e-12)))
        if arrived == used:
            clock = budget * (used + 1) / T
            continue
        upto = arrived if contender.batches else used + 1
        start = time.perf_counter()
        estimate = learner.update(X[used:upto], y[used:upto])
        clock += time.perf_counter() - start
        used = upto
        ready = math.ceil(T * clock / budget)
        if ready > T:
            break
        errors[ready - 1 :] = squared_error(estimate, mu)
        estimates += 1
    return errors, estimates
