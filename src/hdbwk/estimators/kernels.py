"""Numba kernels of Algorithm 1, for many arms that share the rounds and many outputs that share a Gram.

All sums are kept unaveraged: with S = sum w x x' and C = sum w y x the gradient of line 8 is 2 (S mu - C) / t.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.estimators.selection import step_and_threshold
from hdbwk.estimators.steps import brings_in, is_ordinary, minimising_step, moderate, others_call

BLOCK = 32  # rows that wait before they enter the Gram together, by a matrix product
FEW = 4  # or, if there are many outputs, by a plain loop; numbers in between are slower
LINE = 8  # numbers in a line of the cache
TILE = 64  # rows of the Gram written at a time, so that the product needs no second d x d matrix

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class State(NamedTuple):
    """Everything that Algorithm 1 remembers, for A arms, q outputs and dimension d."""

    rounds: Integers  # (1,)        t
    gram: Floats  # (A, d, d)       S without the rows that wait
    summed: Integers  # (A,)        how many rows it has
    rows: Floats  # (A, room, d)    the rows that wait, times sqrt(w)
    waiting: Integers  # (A,)       how many of them
    moment: Floats  # (A, q + 1, d) C for each output, then the diagonal of S (an array more would slow each call)
    mu: Floats  # (A, q, d)         the s-sparse iterate
    support: Integers  # (A, q, s)  its non-zero coordinates
    size: Integers  # (A, q)        how many of them


def zeros(*shape: int) -> Floats:
    """Zeros that begin with a line of the cache: vectors that cross its lines are read at half the speed."""
    room = np.zeros(math.prod(shape) + LINE - 1)
    start = -room.ctypes.data // room.itemsize % LINE
    return room[start : start + math.prod(shape)].reshape(shape)


def empty_state(n_arms: int, n_outputs: int, dim: int, working_sparsity: int) -> State:
    """The state before the first round: mu = 0."""
    room = max(block_size(n_arms, n_outputs, dim), working_sparsity)
    return State(
        rounds=np.zeros(1, dtype=np.int64),
        gram=zeros(n_arms, dim, dim),
        summed=np.zeros(n_arms, dtype=np.int64),
        rows=zeros(n_arms, room, dim),
        waiting=np.zeros(n_arms, dtype=np.int64),
        moment=zeros(n_arms, n_outputs + 1, dim),
        mu=zeros(n_arms, n_outputs, dim),
        support=np.zeros((n_arms, n_outputs, working_sparsity), dtype=np.int64),
        size=np.zeros((n_arms, n_outputs), dtype=np.int64),
    )


@kernel
def block_size(n_arms, n_outputs, dim):
    """How many rows enter a Gram together: every output passes over those that wait."""
    return BLOCK if dim >= BLOCK * n_arms * n_outputs else FEW


@kernel
def observe(state, arm, x, targets, weight):
    """Line 7: a row with weight 1/p enters the sums of its arm."""
    root = np.sqrt(weight)
    row, diagonal = state.rows[arm, state.waiting[arm]], state.moment[arm, targets.size]
    for i in range(x.size):
        row[i] = root * x[i]
        diagonal[i] += row[i] * row[i]
    state.waiting[arm] += 1
    for k in range(targets.size):
        moment = state.moment[arm, k]
        factor = weight * targets[k]
        for i in range(x.size):
            moment[i] += factor * x[i]
    if state.waiting[arm] == _most_waiting(state, arm):
        _absorb(state.gram[arm], state.rows[arm, : state.waiting[arm]])
        state.summed[arm] += state.waiting[arm]
        state.waiting[arm] = 0


@kernel
def _most_waiting(state, arm):
    """A block; the first rows wait until they are s, as a product with fewer is cheaper than one with the Gram."""
    n_arms, n_outputs, dim = state.mu.shape
    return state.rows.shape[1] if state.summed[arm] == 0 else block_size(n_arms, n_outputs, dim)


@kernel
def _absorb(gram, rows):
    """Add rows' rows to the Gram, a tile at a time."""
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
def add_gram_product(gram, summed, rows, waiting, support, v, out):
    """out += S v for v supported on `support`; S is symmetric, so its rows serve as columns."""
    if summed > 0:
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
    """Add four rows, each times its factor. Two indices rather than views: a view costs numba two atomic operations."""
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
def quadratic_form(gram, summed, rows, waiting, support, v):
    """v_S' S v_S on the coordinates S of `support`."""
    total = _gram_form(gram, support, v) if summed > 0 else 0.0
    for k in range(waiting):
        total += _inner(rows, k, support, v) ** 2
    return total


@lean_kernel
def _gram_form(gram, support, v):
    """The part of the Gram: below the diagonal, two rows at a time, whose sums do not wait for each other."""
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
def line_search(gram, summed, rows, waiting, diagonal, support, v):
    """The step that minimises the loss along the gradient on the support."""
    curvature = quadratic_form(gram, summed, rows, waiting, support, v)
    squares = uncorrelated = 0.0
    for j in support:
        squares += v[j] * v[j]
        uncorrelated += v[j] * v[j] * diagonal[j]
    return minimising_step(squares, curvature, uncorrelated)


@lean_kernel
def gradient_step(state, arm, output, step, waits, v, chosen):
    """
    Line 8 for one output: write the gradient, t / 2 times the averaged one, to `v` and return the step along it.

    Where the gradient has vanished on the support, but would bring in others, the line search looks at its s largest
    entries, as it does while mu = 0; not for an arm that `waits`, whose gradient no new row has changed.
    """
    gram, summed, rows, waiting = state.gram[arm], state.summed[arm], state.rows[arm], state.waiting[arm]
    mu, moment, diagonal = state.mu[arm, output], state.moment[arm, output], state.moment[arm, state.mu.shape[1]]
    size = state.size[arm, output]
    support = state.support[arm, output]
    for i in range(mu.size):
        v[i] = -moment[i]
    add_gram_product(gram, summed, rows, waiting, support[:size], mu, v)
    if step >= 0.0:
        return 2.0 * step / state.rounds[0]
    if is_ordinary(v, moment, support[:size]):
        return line_search(gram, summed, rows, waiting, diagonal, support[:size], v)
    called = not waits and others_call(v, moment, support[:size], chosen)
    factor = moderate(v, chosen if called else support[:size])
    if called:
        rate = factor * line_search(gram, summed, rows, waiting, diagonal, chosen, v)
        if brings_in(v, rate, mu, support[:size], chosen):
            return rate
    return factor * line_search(gram, summed, rows, waiting, diagonal, support[:size], v)


@lean_kernel
def descend(state, arm, output, step, waits, v, chosen):
    """Lines 8 and 9 for one output; returns whether they changed mu."""
    mu, support, size = state.mu[arm, output], state.support[arm, output], state.size[arm, output]
    rate = gradient_step(state, arm, output, step, waits, v, chosen)
    if rate == 0.0:
        return False
    state.size[arm, output], changed = step_and_threshold(v, rate, mu, support, size, chosen)
    return changed


@kernel
def advance(state, X, targets, weights, step):
    """Algorithm 1 over rows in order: `targets` is (n, A, q), `weights` is (n, A) with 0 for arms not pulled."""
    n_arms, n_outputs, dim = state.mu.shape
    v = np.empty(dim)
    chosen = np.empty(state.support.shape[2], dtype=np.int64)
    for n in range(X.shape[0]):
        state.rounds[0] += 1
        for arm in range(n_arms):
            if weights[n, arm] > 0.0:
                observe(state, arm, X[n], targets[n, arm], weights[n, arm])
            for output in range(n_outputs):
                descend(state, arm, output, step, False, v, chosen)
