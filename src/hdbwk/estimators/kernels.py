"""Numba kernels of Algorithm 1, for many arms that share the rounds and many outputs that share a Gram.

All sums are kept unaveraged: with S = sum w x x' and C = sum w y x the gradient of line 8 is 2 (S mu - C) / t.
"""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

BLOCK = 32  # rows that wait before they enter the Gram by one matrix product
TILE = 64  # rows of the Gram written at a time, so that the product needs no second d x d matrix

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class State(NamedTuple):
    """Everything that Algorithm 1 remembers, for A arms, q outputs and dimension d."""

    rounds: Integers  # (1,)        t
    gram: Floats  # (A, d, d)       S without the rows that wait
    rows: Floats  # (A, BLOCK, d)   the rows that wait, times sqrt(w)
    waiting: Integers  # (A,)       how many of them
    moment: Floats  # (A, q, d)     C
    mu: Floats  # (A, q, d)         the s-sparse iterate
    support: Integers  # (A, q, s)  its non-zero coordinates, in increasing order
    size: Integers  # (A, q)        how many of them


def empty_state(n_arms: int, n_outputs: int, dim: int, working_sparsity: int) -> State:
    """The state before the first round: mu = 0."""
    return State(
        rounds=np.zeros(1, dtype=np.int64),
        gram=np.zeros((n_arms, dim, dim)),
        rows=np.zeros((n_arms, BLOCK, dim)),
        waiting=np.zeros(n_arms, dtype=np.int64),
        moment=np.zeros((n_arms, n_outputs, dim)),
        mu=np.zeros((n_arms, n_outputs, dim)),
        support=np.zeros((n_arms, n_outputs, working_sparsity), dtype=np.int64),
        size=np.zeros((n_arms, n_outputs), dtype=np.int64),
    )


@numba.njit(cache=True)
def largest(v, s, out):
    """Write the s coordinates of largest |v| to `out` in increasing order; ties go to the lower coordinate."""
    d = v.size
    for i in range(s):  # `out` is a heap: its root is the weakest coordinate kept so far
        _sift_up(v, out, i, i)
    for i in range(s, d):
        if abs(v[i]) > abs(v[out[0]]):
            _sift_down(v, out, s, i)
    out[:s].sort()


@numba.njit(cache=True)
def _weaker(v, i, j):
    return abs(v[i]) < abs(v[j]) or (abs(v[i]) == abs(v[j]) and i > j)


@numba.njit(cache=True)
def _sift_up(v, heap, hole, item):
    while hole > 0 and _weaker(v, item, heap[(hole - 1) // 2]):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = item


@numba.njit(cache=True)
def _sift_down(v, heap, n, item):
    hole = 0
    while 2 * hole + 1 < n:
        child = 2 * hole + 1
        if child + 1 < n and _weaker(v, heap[child + 1], heap[child]):
            child += 1
        if not _weaker(v, heap[child], item):
            break
        heap[hole] = heap[child]
        hole = child
    heap[hole] = item


@numba.njit(cache=True)
def observe(state, arm, x, targets, weight):
    """Line 7: a row with weight 1/p enters the sums of its arm."""
    root = np.sqrt(weight)
    row = state.rows[arm, state.waiting[arm]]
    for i in range(x.size):
        row[i] = root * x[i]
    state.waiting[arm] += 1
    for k in range(targets.size):
        moment = state.moment[arm, k]
        factor = weight * targets[k]
        for i in range(x.size):
            moment[i] += factor * x[i]
    if state.waiting[arm] == BLOCK:
        _absorb(state.gram[arm], state.rows[arm])
        state.waiting[arm] = 0


@numba.njit(cache=True)
def _absorb(gram, rows):
    """Add rows' rows to the Gram, a tile at a time."""
    columns = np.ascontiguousarray(rows.T)
    for start in range(0, gram.shape[0], TILE):
        tile = gram[start : start + TILE]
        tile += np.dot(columns[start : start + TILE], rows)


@numba.njit(cache=True)
def gram_product(gram, rows, waiting, support, v, out):
    """Write S v to `out` for v supported on `support`; S is symmetric, so its rows serve as columns."""
    out[:] = 0.0
    for j in support:
        vj = v[j]
        column = gram[j]
        for i in range(out.size):
            out[i] += vj * column[i]
    for k in range(waiting):
        row = rows[k]
        inner = 0.0
        for j in support:
            inner += row[j] * v[j]
        for i in range(out.size):
            out[i] += inner * row[i]


@numba.njit(cache=True)
def quadratic_form(gram, rows, waiting, support, v):
    """v_S' S v_S on the coordinates S of `support`."""
    total = 0.0
    for i in support:
        for j in support:
            total += v[i] * gram[i, j] * v[j]
    for k in range(waiting):
        inner = 0.0
        for j in support:
            inner += rows[k, j] * v[j]
        total += inner * inner
    return total


@numba.njit(cache=True)
def line_search(gram, rows, waiting, support, gradient):
    """The step that minimises the loss along the gradient on the support; 0 where the loss is flat."""
    curvature = quadratic_form(gram, rows, waiting, support, gradient)
    if curvature <= 0.0:
        return 0.0
    squares = 0.0
    for j in support:
        squares += gradient[j] * gradient[j]
    return squares / curvature


@numba.njit(cache=True)
def descend(state, arm, output, step, gradient, chosen):
    """Lines 8 and 9 for one output: averaged gradient, then H_s; a negative `step` asks for the line search."""
    gram, rows, waiting = state.gram[arm], state.rows[arm], state.waiting[arm]
    mu, moment = state.mu[arm, output], state.moment[arm, output]
    size = state.size[arm, output]
    support = state.support[arm, output]
    gram_product(gram, rows, waiting, support[:size], mu, gradient)
    for i in range(mu.size):
        gradient[i] -= moment[i]
    if step >= 0.0:
        rate = 2.0 * step / state.rounds[0]
    elif size > 0:
        rate = line_search(gram, rows, waiting, support[:size], gradient)
    else:
        largest(gradient, support.size, chosen)
        rate = line_search(gram, rows, waiting, chosen, gradient)
    if rate > 0.0:
        _threshold(mu, rate, gradient, support, chosen)
        state.size[arm, output] = _nonzero(mu, chosen, support)


@numba.njit(cache=True)
def _threshold(mu, rate, gradient, support, chosen):
    """mu = H_s(mu - rate * gradient); the kept coordinates go to `chosen`, `gradient` is used up."""
    for i in range(mu.size):
        gradient[i] = mu[i] - rate * gradient[i]
    largest(gradient, support.size, chosen)
    mu[:] = 0.0
    for i in chosen:
        mu[i] = gradient[i]


@numba.njit(cache=True)
def _nonzero(mu, chosen, support):
    """Write the chosen coordinates with mu != 0 to `support` and return their number."""
    size = 0
    for i in chosen:
        if mu[i] != 0.0:
            support[size] = i
            size += 1
    return size


@numba.njit(cache=True)
def advance(state, X, targets, weights, step):
    """Algorithm 1 over rows in order: `targets` is (n, A, q), `weights` is (n, A) with 0 for arms not pulled."""
    n_arms, n_outputs, dim = state.mu.shape
    gradient = np.empty(dim)
    chosen = np.empty(state.support.shape[2], dtype=np.int64)
    for n in range(X.shape[0]):
        state.rounds[0] += 1
        for arm in range(n_arms):
            if weights[n, arm] > 0.0:
                observe(state, arm, X[n], targets[n, arm], weights[n, arm])
            for output in range(n_outputs):
                descend(state, arm, output, step, gradient, chosen)


@numba.njit(cache=True)
def truncate(mu, sparsity):
    """Line 10 for a stack of vectors: H_{s0} of each."""
    out = np.zeros_like(mu)
    chosen = np.empty(sparsity, dtype=np.int64)
    for arm in range(mu.shape[0]):
        for output in range(mu.shape[1]):
            largest(mu[arm, output], sparsity, chosen)
            for i in chosen:
                out[arm, output, i] = mu[arm, output, i]
    return out
