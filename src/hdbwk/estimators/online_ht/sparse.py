"""
The store of sparse rows: what a round costs grows with the entries that are stored, but for passes over a vector.

Each entry knows the one before it in its column, so that the rows which a support meets are found without a look at
the others: S v = sum_k x_k (x_k'v) over these alone.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.rows import SparseRows
from hdbwk.estimators.online_ht.steps import minimising_step
from hdbwk.estimators.online_ht.store import Integers, implement

GROWTH = 1.5  # factor by which the room for rows grows, where more is not needed at once


class Sparse(NamedTuple):
    """S for one arm: its rows, times sqrt(w), by row and by column."""

    start: Integers  # (rows + 1,)    where each row begins
    places: Integers  # (entries,)    the coordinate of an entry
    values: Floats  # (entries,)
    row_of: Integers  # (entries,)    its row
    before: Integers  # (entries,)    the entry before it in its column, -1 if it is the first
    last: Integers  # (d,)            the last entry of each column, -1 if there is none
    n_rows: Integers  # (1,)          how many rows there are
    factors: Floats  # (rows,)        x_k'v: scratch
    touched: Integers  # (rows,)      the rows with such a factor: scratch
    seen: Integers  # (rows,)         when a row was last touched
    clock: Integers  # (1,)           the number of products so far


def empty_sparse(dim: int) -> Sparse:
    """The store without rows."""
    nothing, ids = np.zeros(0), np.zeros(0, dtype=np.int64)
    zero = np.zeros(1, dtype=np.int64)
    return Sparse(zero, ids, nothing, ids, ids, np.full(dim, -1), zero.copy(), nothing, ids, ids, zero.copy())


def reserve_sparse(store: Sparse, rows: SparseRows) -> Sparse:
    """Make room for more rows."""
    n, size = int(store.n_rows[0]), int(store.start[store.n_rows[0]])
    n_needed, size_needed = n + rows.start.size - 1, size + rows.values.size
    if n_needed > store.factors.size:
        room = max(n_needed, int(GROWTH * store.factors.size))
        store = store._replace(
            start=_grown(store.start, room + 1),
            factors=np.zeros(room),
            touched=np.zeros(room, dtype=np.int64),
            seen=_grown(store.seen, room),
        )
    if size_needed > store.values.size:
        room = max(size_needed, int(GROWTH * store.values.size))
        grown = {name: _grown(getattr(store, name), room) for name in ("places", "values", "row_of", "before")}
        store = store._replace(**grown)
    return store


def _grown(array: np.ndarray, size: int) -> np.ndarray:
    out = np.zeros(size, dtype=array.dtype)
    out[: array.size] = array
    return out


def whole_matrix(store: Sparse) -> Floats:
    """S."""
    n = int(store.n_rows[0])
    size = store.start[n]
    parts = (store.values[:size], store.places[:size], store.start[: n + 1])
    rows = csr_array(parts, shape=(n, store.last.size))
    return np.ascontiguousarray((rows.T @ rows).toarray())


@lean_kernel
def append(store, arm, x, root):
    """There must be room for the row, see `reserve_sparse`."""
    n = store.n_rows[0]
    entry = store.start[n]
    for k in range(x.places.size):
        j = x.places[k]
        store.places[entry], store.values[entry], store.row_of[entry] = j, root * x.values[k], n
        store.before[entry] = store.last[j]
        store.last[j] = entry
        entry += 1
    store.start[n + 1] = entry
    store.n_rows[0] += 1


@lean_kernel
def _fitted(store, support, v):
    """The factors x_k'v of the rows that the support meets; returns how many were touched."""
    store.clock[0] += 1
    size = 0
    for j in support:
        e = store.last[j]
        while e >= 0:
            k = store.row_of[e]
            if store.seen[k] != store.clock[0]:
                store.seen[k] = store.clock[0]
                store.factors[k] = 0.0
                store.touched[size] = k
                size += 1
            store.factors[k] += store.values[e] * v[j]
            e = store.before[e]
    return size


@kernel
def add_product(store, arm, t, support, v, out):
    """Over the rows that the support meets."""
    for n in range(_fitted(store, support, v)):
        k = store.touched[n]
        factor = store.factors[k]
        for e in range(store.start[k], store.start[k + 1]):
            out[store.places[e]] += factor * store.values[e]


@lean_kernel
def line_search(store, arm, diagonal, support, v):
    """By the factors of the rows that the support meets."""
    curvature = 0.0
    for n in range(_fitted(store, support, v)):
        curvature += store.factors[store.touched[n]] ** 2
    return minimising_step(v, support, diagonal, curvature)


@lean_kernel
def expect(store, t, support, v):
    """Any product is ready."""


@lean_kernel
def entry(store, arm, i, j):
    """Over the rows that have both coordinates; the columns list theirs from the last to the first."""
    total = 0.0
    a, b = store.last[i], store.last[j]
    while a >= 0 and b >= 0:
        if store.row_of[a] == store.row_of[b]:
            total += store.values[a] * store.values[b]
            a, b = store.before[a], store.before[b]
        elif store.row_of[a] > store.row_of[b]:
            a = store.before[a]
        else:
            b = store.before[b]
    return total


@lean_kernel
def peek_product(store, arm, support, v, out):
    """A product changes nothing but scratch."""
    add_product(store, arm, 0, support, v, out)


@lean_kernel
def slope(store, arm, moved, change, j, products):
    """`products` has the changes of all fitted values."""
    total = 0.0
    e = store.last[j]
    while e >= 0:
        total += store.values[e] * products[store.row_of[e]]
        e = store.before[e]
    return total


@lean_kernel
def note_change(store, arm, j, change, products):
    """What becomes of the fitted values."""
    e = store.last[j]
    while e >= 0:
        products[store.row_of[e]] += store.values[e] * change
        e = store.before[e]


@lean_kernel
def has_column(store, j):
    """All are there."""
    return True


@lean_kernel
def ask_for_column(store, t, j):
    """All are there."""


@lean_kernel
def remembered(store):
    """One number for each row."""
    return store.factors.size


implement(Sparse, append, add_product, line_search, expect, entry, peek_product, slope, note_change, has_column)
implement(Sparse, ask_for_column, remembered)
