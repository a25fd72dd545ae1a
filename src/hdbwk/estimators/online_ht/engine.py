"""Which store one regression keeps its sums in: the whole Gram matrix, or the history and a few columns."""

from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np

from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.active import Active, empty_active, reserve
from hdbwk.estimators.online_ht.algorithm import State, initial_state
from hdbwk.estimators.online_ht.gram import Gram, block_size, empty_gram
from hdbwk.estimators.online_ht.store import aligned_zeros

Engine = Literal["auto", "gram", "active"]
COORDINATES = 7  # d / (q s) above which, as measured, a round with a few columns is cheaper than one with the matrix
HISTORY = 2  # rows / d from which on the matrix replaces the history, which would go on growing


def checked_engine(engine: Any) -> None:
    """ValueError for anything that is not an engine."""
    if engine not in get_args(Engine):
        raise ValueError(f"engine = {engine!r} must be one of {', '.join(map(repr, get_args(Engine)))}")


def start(engine: Engine, n_outputs: int, dim: int, working_sparsity: int) -> State:
    """The state before the first round, with the store that is asked for or cheaper."""
    store = empty_store(engine, n_outputs, dim, working_sparsity)
    return initial_state(1, n_outputs, dim, working_sparsity, store)


def empty_store(engine: Engine, n_outputs: int, dim: int, working_sparsity: int) -> Active | Gram:
    """A store without rows, for iterates with so many entries that are not zero."""
    few = dim > COORDINATES * n_outputs * working_sparsity
    active = engine == "active" or (engine == "auto" and few)
    return empty_active(n_outputs, dim, working_sparsity) if active else empty_gram(1, n_outputs, dim, working_sparsity)


def stretches(engine: Engine, state: Any, weights: Floats) -> Iterator[tuple[Any, slice]]:
    """Rows in order with the state that takes them; `auto` goes over to the matrix where the history gets too long."""
    cut, (_, n_outputs, dim) = len(weights), state.mu.shape
    if isinstance(state.store, Active):
        pulls = np.cumsum(weights > 0)
        if engine == "auto":
            cut = int(np.searchsorted(state.store.n_rows[0] + pulls, HISTORY * dim))
        state = state._replace(store=reserve(state.store, int(pulls[cut - 1]) if cut else 0))
    yield state, slice(cut)
    if cut < len(weights):
        yield state._replace(store=_whole(state.store, n_outputs)), slice(cut, None)


def _whole(store: Active, n_outputs: int) -> Gram:
    """The Gram matrix of the history."""
    rows = store.rows[: store.n_rows[0]]
    block = block_size(1, n_outputs, rows.shape[1])
    return Gram(
        gram=(rows.T @ rows)[None],
        summed=store.n_rows,
        rows=aligned_zeros(1, block, rows.shape[1]),
        waiting=np.zeros(1, dtype=np.int64),
        block=block,
    )
