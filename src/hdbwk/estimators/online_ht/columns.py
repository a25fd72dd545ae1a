"""
The columns of the Gram matrix that the store keeps: which coordinates have one, and how many rows each sums.

A column costs a pass over the history when its coordinate is new, and later the rows that it lacks when it is needed
again. Where the history exceeds the cache such a pass waits for memory: it makes two sums in nearly the time of one.
"""

import numpy as np

from hdbwk.core.compiled import kernel, lean_kernel

LAG = 8  # rows by which a column may be behind
TILE = 8192  # entries written at a time, so that they stay in the cache over all rows


@lean_kernel
def summed_rows(store, j):
    """Rows in the column of a coordinate."""
    return store.summed[store.slot[j]] if store.slot[j] >= 0 else 0


@lean_kernel
def give_slots(store, t, support, v):
    """
    If the support has new coordinates, promise columns to the first in line: of largest |v|, so on it or next to it.

    Two, unless more are new: then the product with mu needs a pass over the history, and takes one along.
    """
    lacking = 0
    for j in support:
        lacking += store.slot[j] < 0
    for _ in range(1 if lacking > 2 else 2 if lacking > 0 else 0):
        j = _next_in_line(store, v)
        if j >= 0:
            give_slot(store, t, j)


@lean_kernel
def _next_in_line(store, v):
    """Of the coordinates without a slot that of the largest entry, or -1."""
    best, most = -1, 0.0
    for i in range(v.size):
        if abs(v[i]) > most and store.slot[i] < 0:
            best, most = i, abs(v[i])
    return best


@lean_kernel
def give_slot(store, t, j):
    """A coordinate takes over the slot that was not needed for longest."""
    slot = np.argmin(store.used)
    if store.owner[slot] >= 0:
        store.slot[store.owner[slot]] = -1
    store.slot[j] = slot
    store.owner[slot] = j
    store.used[slot] = t
    store.summed[slot] = 0
    column = store.columns[slot]
    for i in range(column.size):
        column[i] = 0.0


@kernel
def catch_up(store, support):
    """
    Sum the rows that promised columns lack, and those of the support that are behind.

    If the number of promised columns is odd, the last one's slot is returned, otherwise -1: it counts as summed, and
    `sum_beside` sums it.
    """
    n = store.n_rows[0]
    slots = np.empty(store.owner.size, dtype=np.int64)
    size = 0
    for slot in range(store.owner.size):
        if store.owner[slot] >= 0 and store.summed[slot] == 0:
            slots[size] = slot
            size += 1
    alone = slots[size - 1] if size % 2 == 1 else -1
    _sum_up(store, slots[: size - size % 2], store.columns.shape[1])
    size = 0
    for j in support:
        if store.slot[j] >= 0 and store.slot[j] != alone and store.summed[store.slot[j]] < n - LAG:
            slots[size] = store.slot[j]
            size += 1
    _sum_up(store, slots[:size], TILE)
    if alone >= 0:
        store.summed[alone] = n
    return alone


@lean_kernel
def _sum_up(store, slots, tile):
    """Sum the rows that some columns lack, two columns at a time."""
    n, dim, factors, places = store.n_rows[0], store.columns.shape[1], store.factors, store.places
    for first in range(0, dim, tile):
        last = min(first + tile, dim)
        for c in range(0, slots.size - 1, 2):
            a, b = store.summed[slots[c]], store.summed[slots[c + 1]]
            one, two = store.columns[slots[c], first:last], store.columns[slots[c + 1], first:last]
            _factors_of(store, slots[c], a, factors[0])
            _factors_of(store, slots[c + 1], b, factors[1])
            add_rows(store.rows, places, factors[0], a, max(a, b), first, one)
            add_rows(store.rows, places, factors[1], b, max(a, b), first, two)
            _add_rows_to_two(store.rows, factors[0], factors[1], max(a, b), n, first, one, two)
        if slots.size % 2 == 1:
            slot = slots[slots.size - 1]
            _factors_of(store, slot, store.summed[slot], factors[0])
            column = store.columns[slot, first:last]
            add_rows(store.rows, places, factors[0], store.summed[slot], n, first, column)
    for c in range(slots.size):
        store.summed[slots[c]] = n


@lean_kernel
def sum_beside(store, slot, start, out):
    """Sum a promised column in the pass that adds the rows from `start` on, each times its factor, to `out`."""
    column, factors, spare = store.columns[slot], store.factors[0], store.factors[1]
    _factors_of(store, slot, 0, spare)
    add_rows(store.rows, store.places, spare, 0, start, 0, column)
    _add_rows_to_two(store.rows, spare, factors, start, store.n_rows[0], 0, column, out)


@lean_kernel
def _factors_of(store, slot, start, factors):
    """What the rows from `start` on are multiplied with in a column: their entries at its coordinate."""
    for k in range(start, store.n_rows[0]):
        factors[k] = store.rows[k, store.owner[slot]]


@lean_kernel
def add_rows(matrix, places, factors, start, stop, first, out):
    """out += the rows at places[start:stop], each times its factor and from its entry `first` on."""
    last, fours = first + out.size, start + (stop - start) // 4 * 4
    for k in range(start, fours, 4):
        row0, row1 = matrix[places[k], first:last], matrix[places[k + 1], first:last]
        row2, row3 = matrix[places[k + 2], first:last], matrix[places[k + 3], first:last]
        f0, f1, f2, f3 = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        for i in range(out.size):
            out[i] += (f0 * row0[i] + f1 * row1[i]) + (f2 * row2[i] + f3 * row3[i])
    for k in range(fours, stop):
        factor, row = factors[k], matrix[places[k], first:last]
        for i in range(out.size):
            out[i] += factor * row[i]


@lean_kernel
def _add_rows_to_two(rows, f, g, start, stop, first, one, two):
    """The same for the rows start..stop and two vectors with factors of their own: each row is read once."""
    last, fours = first + one.size, start + (stop - start) // 4 * 4
    for k in range(start, fours, 4):
        row0, row1 = rows[k, first:last], rows[k + 1, first:last]
        row2, row3 = rows[k + 2, first:last], rows[k + 3, first:last]
        f0, f1, f2, f3 = f[k], f[k + 1], f[k + 2], f[k + 3]
        g0, g1, g2, g3 = g[k], g[k + 1], g[k + 2], g[k + 3]
        for i in range(one.size):
            one[i] += (f0 * row0[i] + f1 * row1[i]) + (f2 * row2[i] + f3 * row3[i])
            two[i] += (g0 * row0[i] + g1 * row1[i]) + (g2 * row2[i] + g3 * row3[i])
    for k in range(fours, stop):
        row = rows[k, first:last]
        for i in range(one.size):
            one[i] += f[k] * row[i]
            two[i] += g[k] * row[i]
