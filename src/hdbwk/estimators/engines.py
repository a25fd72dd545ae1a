"""The two engines of Algorithm 1, the whole Gram or the history and a few columns, and the choice between them."""

from typing import Any, Literal

import numpy as np

from hdbwk.estimators.active import Active, advance_active, empty_active, reserve, with_gram
from hdbwk.estimators.kernels import Floats, State, advance, empty_state

Engine = Literal["auto", "gram", "active"]
ENGINES = ("auto", "gram", "active")
COORDINATES = 7  # d / (q s) above which, as measured, a round with a few columns is cheaper than one with the Gram
HISTORY = 2  # rows / d from which on the Gram replaces the history, which would go on growing


def checked_engine(engine: Any) -> Engine:
    """ValueError for anything that is not an engine."""
    if engine not in ENGINES:
        raise ValueError(f"engine = {engine!r} must be one of {', '.join(map(repr, ENGINES))}")
    return engine


def start(engine: Engine, n_outputs: int, dim: int, working_sparsity: int) -> State | Active:
    """The state before the first round, for the engine that is asked for or cheaper."""
    few = dim > COORDINATES * n_outputs * working_sparsity
    if engine == "active" or (engine == "auto" and few):
        return empty_active(n_outputs, dim, working_sparsity)
    return empty_state(1, n_outputs, dim, working_sparsity)


def learn(engine: Engine, state: State | Active, X: Floats, y: Floats, weights: Floats, step: float) -> State | Active:
    """Algorithm 1 over rows in order; `auto` goes over to the Gram at the row where the history gets too long."""
    if isinstance(state, State):
        advance(state, X, y, weights, step)
        return state
    pulls = state.n_rows[0] + np.cumsum(weights[:, 0] > 0)
    cut = len(X)
    if engine == "auto":
        cut = int(np.searchsorted(pulls, HISTORY * X.shape[1]))
    state = reserve(state, int(pulls[:cut][-1] - state.n_rows[0]) if cut else 0)
    advance_active(state, X[:cut], y[:cut], weights[:cut], step)
    if cut == len(X):
        return state
    return learn(engine, with_gram(state), X[cut:], y[cut:], weights[cut:], step)
