"""
The store of the history and few columns of the Gram matrix: rounds of O(d s), for one arm.

A gradient needs S mu, that is, the columns of S on the support. A column that was needed once is kept; it remembers
how many rows it sums and catches up when it is needed and behind (`columns`). What is missing in columns that are a
little behind, or many at once while supports churn in the first rounds, comes from one pass X'(X mu) over the rows
that they lack.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.columns import (
    LAG,
    TILE,
    add_rows,
    catch_up,
    give_slot,
    give_slots,
    sum_beside,
    summed_rows,
)
from hdbwk.estimators.online_ht.steps import minimising_step
from hdbwk.estimators.online_ht.store import Integers, aligned_zeros, implement

SLOTS = 16  # columns kept, as a multiple of all supports


class Active(NamedTuple):
    """S for one arm: all rows, and the columns that were needed lately."""

    rows: Floats  # (capacity, d)     the pulled rows, times sqrt(w)
    n_rows: Integers  # (1,)          how many of them
    columns: Floats  # (slots, d)     columns of S
    summed: Integers  # (slots,)      how many rows each has
    owner: Integers  # (slots,)       its coordinate, -1 if the slot is free
    used: Integers  # (slots,)        the round in which it was last needed
    slot: Integers  # (d,)            the slot of a coordinate, -1 if it has none
    factors: Floats  # (2, capacity)  of the rows in a sum: scratch
    places: Integers  # (capacity,)   0, 1, 2, ...


def empty_active(n_outputs: int, dim: int, working_sparsity: int) -> Active:
    """The store without rows."""
    slots = min(SLOTS * n_outputs * working_sparsity + LAG, dim)
    return Active(
        rows=np.zeros((0, dim)),
        n_rows=np.zeros(1, dtype=np.int64),
        columns=aligned_zeros(slots, dim),
        summed=np.zeros(slots, dtype=np.int64),
        owner=np.full(slots, -1),
        used=np.zeros(slots, dtype=np.int64),
        slot=np.full(dim, -1),
        factors=np.zeros((2, 0)),
        places=np.arange(0),
    )


def reserve(store: Active, n_more: int) -> Active:
    """Make room for more rows, in place: large blocks grow without a copy."""
    needed = int(store.n_rows[0]) + n_more
    if needed <= len(store.rows):
        return store
    rows = store.rows if store.rows.flags.owndata else store.rows.copy()  # others cannot grow, as after unpickling
    capacity = max(needed, len(rows) * 3 // 2)
    rows.resize((capacity, rows.shape[1]), refcheck=False)
    return store._replace(rows=rows, factors=np.zeros((2, capacity)), places=np.arange(capacity))


@lean_kernel
def append(store, arm, x, root):
    """There must be room for the row, see `reserve`."""
    n = store.n_rows[0]
    for i in range(x.size):
        store.rows[n, i] = root * x[i]
    store.n_rows[0] += 1


@kernel
def add_product(store, arm, t, support, v, out):
    """From the rows that the columns of the support lack, and from the columns."""
    n, factors, places = store.n_rows[0], store.factors, store.places
    alone = catch_up(store, support)
    first_row = _lacking_products(store, _ordered(store, support), v)
    if alone >= 0:
        sum_beside(store, alone, first_row, out)
        first_row = n
    slots, values = _columns_of(store, t, support, v)
    for first in range(0, out.size, TILE):
        tile = out[first : first + TILE]
        add_rows(store.columns, slots, values, 0, slots.size, first, tile)
        add_rows(store.rows, places, factors[0], first_row, n, first, tile)


@kernel
def _columns_of(store, t, support, v):
    """The slots of the coordinates that have columns, and their entries of v."""
    slots, values = np.empty(support.size, dtype=np.int64), np.empty(support.size)
    n = 0
    for j in support:
        if store.slot[j] >= 0:
            store.used[store.slot[j]] = t
            slots[n], values[n] = store.slot[j], v[j]
            n += 1
    return slots[:n], values[:n]


@kernel
def _ordered(store, support):
    """The coordinates of the support, those whose columns have fewest rows first."""
    order = support.copy()
    for n in range(1, order.size):
        j, m = order[n], n
        while m > 0 and summed_rows(store, order[m - 1]) > summed_rows(store, j):
            order[m] = order[m - 1]
            m -= 1
        order[m] = j
    return order


@lean_kernel
def _lacking_products(store, order, v):
    """Factors x_k' v over the coordinates whose columns lack row k, from the first such k on, which is returned."""
    n, factors = store.n_rows[0], store.factors[0]
    first = summed_rows(store, order[0]) if order.size > 0 else n
    lacking = 0
    for k in range(first, n):
        while lacking < order.size and summed_rows(store, order[lacking]) <= k:
            lacking += 1
        factors[k] = 0.0
        for m in range(lacking):
            factors[k] += store.rows[k, order[m]] * v[order[m]]
    return first


@kernel
def line_search(store, arm, diagonal, support, v):
    """An entry of S comes from that of its two columns which has more rows."""
    order = _ordered(store, support)
    curvature = 0.0
    for m in range(order.size):
        i, slot = order[m], store.slot[order[m]]
        if slot >= 0:
            before = 0.0
            for b in range(m):
                before += store.columns[slot, order[b]] * v[order[b]]
            curvature += v[i] * (store.columns[slot, i] * v[i] + 2.0 * before)
    for k in range(_lacking_products(store, order, v), store.n_rows[0]):
        curvature += store.factors[0, k] * store.factors[0, k]
    return minimising_step(v, order, diagonal, curvature)


@lean_kernel
def entry(store, arm, i, j):
    """From that of the two columns which has more rows."""
    if summed_rows(store, i) < summed_rows(store, j):
        i, j = j, i
    total = store.columns[store.slot[i], j] if store.slot[i] >= 0 else 0.0
    for k in range(summed_rows(store, i), store.n_rows[0]):
        total += store.rows[k, i] * store.rows[k, j]
    return total


@lean_kernel
def peek_product(store, arm, support, v, out):
    """From the columns as they are, and the rows that they lack."""
    first = store.n_rows[0]
    for j in support:
        first = min(first, summed_rows(store, j))
        if store.slot[j] >= 0:
            _add_one(store.columns, store.slot[j], v[j], out)
    for k in range(first, store.n_rows[0]):
        factor = 0.0
        for j in support:
            if summed_rows(store, j) <= k:
                factor += store.rows[k, j] * v[j]
        _add_one(store.rows, k, factor, out)


@lean_kernel
def _add_one(matrix, j, factor, out):
    for i in range(out.size):
        out[i] += factor * matrix[j, i]


@lean_kernel
def slope(store, arm, moved, change, j, products):
    """By the entries of S."""
    total = 0.0
    for i in moved:
        total += entry(store, arm, i, j) * change[i]
    return total


@lean_kernel
def note_change(store, arm, j, change, products):
    """There is nothing to remember."""


@lean_kernel
def has_column(store, j):
    """Not yet, where it was promised."""
    return summed_rows(store, j) > 0


@lean_kernel
def ask_for_column(store, t, j):
    """It is summed along with the next product."""
    if store.slot[j] < 0:
        give_slot(store, t, j)


@lean_kernel
def remembered(store):
    """None."""
    return 0


implement(Active, append, add_product, line_search, expect=give_slots)
implement(Active, entry, peek_product, slope, note_change, has_column, ask_for_column, remembered)
