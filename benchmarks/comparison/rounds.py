"""Time of a round against t and against d, with the squared error of the estimate."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.comparison.contenders import CONTENDERS, Contender
from benchmarks.comparison.sizes import Sizes, recovery
from hdbwk.estimators.online_ht.engine import HISTORY

Row = dict[str, Any]
NOT_INSTALLED = "not installed"
LEFT_OUT = "left out"


def warm_up() -> None:
    """Load and compile what the contenders need."""
    _, stream = recovery(40, 30)
    for contender in CONTENDERS.values():
        if contender.installed:
            learner = contender.make()
            learner.start(stream.contexts[:25], stream.rewards[:25])
            learner.update(stream.contexts[25:26], stream.rewards[25:26])


def over_rounds(sizes: Sizes) -> Iterator[Row]:
    """t grows, d is fixed."""
    mu, stream = recovery(sizes.dim, max(sizes.rounds) + sizes.window)
    for name, contender in CONTENDERS.items():
        for t in sizes.rounds:
            row = {"comparison": "t", "contender": name, "t": t, "d": sizes.dim}
            yield row | measured(contender, t, mu, stream.contexts, stream.rewards, sizes)


def over_dimensions(sizes: Sizes) -> Iterator[Row]:
    """d grows, t is fixed; a contender drops out before a size whose state and rounds would take too long."""
    spent: dict[str, float] = {}
    before = sizes.dims[0]
    for dim in sizes.dims:
        mu, stream = recovery(dim, sizes.round + sizes.window)
        for name, contender in CONTENDERS.items():
            row = {"comparison": "d", "contender": name, "t": sizes.round, "d": dim}
            if spent.get(name, 0.0) * (dim / before) ** 2 > sizes.patience:
                spent[name] = np.inf
                yield row | {"note": LEFT_OUT}
                continue
            start = time.perf_counter()
            yield row | measured(contender, sizes.round, mu, stream.contexts, stream.rewards, sizes)
            spent[name] = time.perf_counter() - start
        before = dim


def change_of_store(sizes: Sizes) -> Iterator[Row]:
    """The one round in which our `auto` goes over from the history to the matrix, best of three."""
    t = HISTORY * sizes.dim
    _, stream = recovery(sizes.dim, t)
    X, y = stream.contexts, stream.rewards
    times = []
    for _ in range(3):
        learner = CONTENDERS["ours, auto"].make()
        learner.start(X[:-1], y[:-1])
        start = time.perf_counter()
        learner.update(X[-1:], y[-1:])
        times.append(time.perf_counter() - start)
    yield {"comparison": "change", "contender": "ours, auto", "t": t, "d": sizes.dim, "seconds": min(times)}


def measured(contender: Contender, t: int, mu: np.ndarray, X: np.ndarray, y: np.ndarray, sizes: Sizes) -> Row:
    """The median time of the rounds from t on, and the error after round t."""
    if not contender.installed:
        return {"note": NOT_INSTALLED}
    learner = contender.make()
    learner.start(X[: t - 1], y[: t - 1])
    times: list[float] = []
    while len(times) < sizes.window and (len(times) < 3 or sum(times) < sizes.enough):
        row = t - 1 + len(times)
        start = time.perf_counter()
        estimate = learner.update(X[row : row + 1], y[row : row + 1])
        times.append(time.perf_counter() - start)
        if len(times) == 1:
            error = squared_error(estimate, mu)
    return {"seconds": float(np.median(times)), "error": error}


def squared_error(estimate: np.ndarray, mu: np.ndarray) -> float:
    """|estimate - mu|^2."""
    return float(np.sum((estimate - mu) ** 2))
