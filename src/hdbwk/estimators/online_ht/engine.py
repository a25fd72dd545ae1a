"""Which store one regression keeps its sums in: the whole Gram matrix, or the history and a few columns."""

from typing import Any, Literal, get_args

import numpy as np
from scipy.sparse import issparse

from hdbwk.core.validation import Floats
from hdbwk.estimators.levels import Levels
from hdbwk.estimators.online_ht.active import Active, empty_active, reserve
from hdbwk.estimators.online_ht.algorithm import State, initial_state
from hdbwk.estimators.online_ht.gram import Gram, block_size, empty_gram
from hdbwk.estimators.online_ht.rows import dense, sparse_rows
from hdbwk.estimators.online_ht.sparse import Sparse, empty_sparse, reserve_sparse, whole_matrix
from hdbwk.estimators.online_ht.store import aligned_zeros

Engine = Literal["auto", "gram", "active"]
COORDINATES = 7  # d / (q s) above which, as measured, a round with a few columns is cheaper than one with the matrix
DENSE = 256  # sparse rows that a dense store is given at a time
HISTORY = 2  # rows / d from which on the matrix replaces the history, which would go on growing


def checked_engine(engine: Any) -> None:
    """ValueError for anything that is not an engine."""
    if engine not in get_args(Engine):
        raise ValueError(f"engine = {engine!r} must be one of {', '.join(map(repr, get_args(Engine)))}")


def start(engine: Engine, n_outputs: int, dim: int, levels: Levels, sparse: bool) -> State:
    """The state before the first round, with the store that is asked for or cheaper."""
    store = empty_store(engine, n_outputs, dim, int(levels.sizes.sum()), sparse)
    return initial_state(1, n_outputs, dim, levels, store)


def empty_store(
    engine: Engine, n_outputs: int, dim: int, working_sparsity: int, sparse: bool = False
) -> Active | Gram | Sparse:
    """A store without rows, for iterates with so many entries that are not zero."""
    few = dim > COORDINATES * n_outputs * working_sparsity
    if engine == "gram" or (engine == "auto" and not few):
        return empty_gram(1, n_outputs, dim, min(working_sparsity, dim))
    return empty_sparse(dim) if sparse else empty_active(n_outputs, dim, working_sparsity)


def learn(engine: Engine, state: Any, X: Any, y: Floats, weights: Floats, play: Any, *settings: Any) -> Any:
    """`play` over rows in order; `auto` goes over to the matrix at the row where the history gets too long."""
    cut = X.shape[0]
    if not isinstance(state.store, Gram) and engine == "auto":
        pulls = state.store.n_rows[0] + np.cumsum(weights > 0)
        cut = int(np.searchsorted(pulls, HISTORY * X.shape[1]))
    state = _play(state, X[:cut], y[:cut], weights[:cut], play, *settings)
    if cut == X.shape[0]:
        return state
    state = state._replace(store=_whole(state.store, state.mu.shape[1]))
    return learn(engine, state, X[cut:], y[cut:], weights[cut:], play, *settings)


def _play(state: Any, X: Any, y: Floats, weights: Floats, play: Any, *settings: Any) -> Any:
    """`play` over rows in the form that the store takes: sparse ones a few at a time where it is a dense one."""
    if isinstance(state.store, Sparse):
        rows = sparse_rows(X)
        state = state._replace(store=reserve_sparse(state.store, rows))
        play(state, rows, y, weights, *settings)
        return state
    if isinstance(state.store, Active):
        state = state._replace(store=reserve(state.store, int((weights > 0).sum())))
    step = DENSE if issparse(X) else max(X.shape[0], 1)
    for first in range(0, X.shape[0], step):
        part = slice(first, first + step)
        play(state, dense(X[part]), y[part], weights[part], *settings)
    return state


def _whole(store: Active | Sparse, n_outputs: int) -> Gram:
    """The Gram matrix of the history."""
    if isinstance(store, Sparse):
        gram = whole_matrix(store)
    else:
        rows = store.rows[: store.n_rows[0]]
        gram = rows.T @ rows
    block = block_size(1, n_outputs, len(gram))
    return Gram(
        gram=gram[None],
        summed=store.n_rows,
        rows=aligned_zeros(1, block, len(gram)),
        waiting=np.zeros(1, dtype=np.int64),
        block=block,
    )
