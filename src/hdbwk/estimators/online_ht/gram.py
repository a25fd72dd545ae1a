"""The store of the whole Gram matrix: O(d^2) memory for each arm, whatever the number of rows."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.steps import minimising_step
from hdbwk.estimators.online_ht.store import Integers, aligned_zeros, implement

BLOCK = 32  # rows that wait before they enter the Gram matrix together, by a matrix product
FEW = 4  # or, if there are many outputs, by a plain loop; numbers in between are slower
TILE = 64  # rows of the Gram matrix written at a time, so that the product needs no second d x d matrix


class Gram(NamedTuple):
    """S for A arms: the sum over most rows, and the rows that wait."""

    gram: Floats  # (A, d, d)       S without the rows that wait
    summed: Integers  # (A,)        how many rows it has
    rows: Floats  # (A, room, d)    the rows that wait, times sqrt(w)
    waiting: Integers  # (A,)       how many of them
    block: int  # how many enter together


def empty_gram(n_arms: int, n_outputs: int, dim: int, working_sparsity: int) -> Gram:
    """The store without rows."""
    block = block_size(n_arms, n_outputs, dim)
    return Gram(
        gram=aligned_zeros(n_arms, dim, dim),
        summed=np.zeros(n_arms, dtype=np.int64),
        rows=aligned_zeros(n_arms, max(block, working_sparsity), dim),
        waiting=np.zeros(n_arms, dtype=np.int64),
        block=block,
    )


def block_size(n_arms: int, n_outputs: int, dim: int) -> int:
    """How many rows enter a Gram matrix together: every output passes over those that wait."""
    return BLOCK if dim >= BLOCK * n_arms * n_outputs else FEW


@kernel
def append(store, arm, x, root):
    """The first rows wait until they are s, as a product with fewer is cheaper than one with the matrix."""
    row = store.rows[arm, store.waiting[arm]]
    for i in range(x.size):
        row[i] = root * x[i]
    store.waiting[arm] += 1
    if store.waiting[arm] == (store.rows.shape[1] if store.summed[arm] == 0 else store.block):
        _absorb(store.gram[arm], store.rows[arm, : store.waiting[arm]])
        store.summed[arm] += store.waiting[arm]
        store.waiting[arm] = 0


@kernel
def _absorb(gram, rows):
    """Add rows' rows to the Gram matrix, a tile at a time."""
    if rows.shape[0] == FEW:
        _absorb_few(gram, rows[0], rows[1], rows[2], rows[3])
        return
    columns = np.ascontiguousarray(rows.T)
    for start in range(0, gram.shape[0], TILE):
        tile = gram[start : start + TILE]
        tile += np.dot(columns[start : start + TILE], rows)


@kernel
def _absorb_few(gram, row0, row1, row2, row3):
    for i in range(gram.shape[0]):
        x0, x1, x2, x3 = row0[i], row1[i], row2[i], row3[i]
        for j in range(gram.shape[0]):
            gram[i, j] += (x0 * row0[j] + x1 * row1[j]) + (x2 * row2[j] + x3 * row3[j])


@lean_kernel
def add_product(store, arm, t, support, v, out):
    """S is symmetric, so its rows serve as columns."""
    gram, rows, waiting = store.gram[arm], store.rows[arm], store.waiting[arm]
    if store.summed[arm] > 0:
        fours = support.size - support.size % 4
        for n in range(0, fours, 4):
            j0, j1, j2, j3 = support[n], support[n + 1], support[n + 2], support[n + 3]
            _add_four(gram, j0, j1, j2, j3, v[j0], v[j1], v[j2], v[j3], out)
        for n in range(fours, support.size):
            _add_one(gram, support[n], v[support[n]], out)
    fours = waiting - waiting % 4
    for k in range(0, fours, 4):
        f0, f1 = _inner(rows, k, support, v), _inner(rows, k + 1, support, v)
        f2, f3 = _inner(rows, k + 2, support, v), _inner(rows, k + 3, support, v)
        _add_four(rows, k, k + 1, k + 2, k + 3, f0, f1, f2, f3, out)
    for k in range(fours, waiting):
        _add_one(rows, k, _inner(rows, k, support, v), out)


@lean_kernel
def _add_four(matrix, j0, j1, j2, j3, f0, f1, f2, f3, out):
    """Add four rows, each times its factor; by two indices, which are quicker than views of short rows."""
    for i in range(out.size):
        out[i] += (f0 * matrix[j0, i] + f1 * matrix[j1, i]) + (f2 * matrix[j2, i] + f3 * matrix[j3, i])


@lean_kernel
def _add_one(matrix, j, factor, out):
    for i in range(out.size):
        out[i] += factor * matrix[j, i]


@lean_kernel
def _inner(rows, k, support, v):
    """Row k times v, for v supported on `support`."""
    inner = 0.0
    for j in support:
        inner += rows[k, j] * v[j]
    return inner


@lean_kernel
def line_search(store, arm, diagonal, support, v):
    """The step that minimises the loss along v."""
    curvature = _gram_form(store.gram[arm], support, v) if store.summed[arm] > 0 else 0.0
    rows = store.rows[arm]
    for k in range(store.waiting[arm]):
        curvature += _inner(rows, k, support, v) ** 2
    return minimising_step(v, support, diagonal, curvature)


@lean_kernel
def _gram_form(gram, support, v):
    """v' S v on the support: below the diagonal, two rows at a time, whose sums do not wait for each other."""
    total = 0.0
    twos = support.size - support.size % 2
    for n in range(0, twos, 2):
        j0, j1 = support[n], support[n + 1]
        p0 = p1 = 0.0
        for m in range(n):
            i = support[m]
            p0 += gram[j0, i] * v[i]
            p1 += gram[j1, i] * v[i]
        p1 += gram[j1, j0] * v[j0]
        total += v[j0] * (gram[j0, j0] * v[j0] + 2.0 * p0) + v[j1] * (gram[j1, j1] * v[j1] + 2.0 * p1)
    for n in range(twos, support.size):
        j = support[n]
        total += v[j] * (gram[j, j] * v[j] + 2.0 * _inner(gram, j, support[:n], v))
    return total


@lean_kernel
def expect(store, t, support, v):
    """Any product is ready."""


@lean_kernel
def entry(store, arm, i, j):
    """From the matrix and the rows that wait."""
    total = store.gram[arm, i, j]
    for k in range(store.waiting[arm]):
        total += store.rows[arm, k, i] * store.rows[arm, k, j]
    return total


@lean_kernel
def slope(store, arm, moved, change, j, products):
    """Of the rows that wait, `products` has the changes of their fitted values."""
    total = 0.0
    if store.summed[arm] > 0:
        for i in moved:
            total += store.gram[arm, i, j] * change[i]
    for k in range(store.waiting[arm]):
        total += store.rows[arm, k, j] * products[k]
    return total


@lean_kernel
def note_change(store, arm, j, change, products):
    """What becomes of the fitted values of the rows that wait."""
    for k in range(store.waiting[arm]):
        products[k] += store.rows[arm, k, j] * change


@lean_kernel
def has_column(store, j):
    """All are there."""
    return True


@lean_kernel
def ask_for_column(store, t, j):
    """All are there."""


@lean_kernel
def peek_product(store, arm, support, v, out):
    """A product changes nothing."""
    add_product(store, arm, 0, support, v, out)


@lean_kernel
def remembered(store):
    """One for each row that may wait."""
    return store.rows.shape[1]


implement(Gram, append, add_product, line_search, expect, entry, peek_product, slope, note_change, has_column)
implement(Gram, ask_for_column, remembered)
