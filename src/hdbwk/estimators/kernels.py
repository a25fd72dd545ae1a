"""Numba kernels of Algorithm 1, for many arms that share the rounds and many outputs that share a Gram.

All sums are kept unaveraged: with S = sum w x x' and C = sum w y x the gradient of line 8 is 2 (S mu - C) / t.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hdbwk.compiled import kernel

BLOCK = 32  # rows that wait, at most, before they enter the Gram together
FEW = 4  # and at least; so few enter by a plain loop, more by a matrix product
TILE = 64  # rows of the Gram written at a time, so that the product needs no second d x d matrix

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class State(NamedTuple):
    """Everything that Algorithm 1 remembers, for A arms, q outputs and dimension d."""

    rounds: Integers  # (1,)        t
    gram: Floats  # (A, d, d)       S without the rows that wait
    rows: Floats  # (A, block, d)   the rows that wait, times sqrt(w)
    waiting: Integers  # (A,)       how many of them
    moment: Floats  # (A, q, d)     C
    mu: Floats  # (A, q, d)         the s-sparse iterate
    support: Integers  # (A, q, s)  its non-zero coordinates
    size: Integers  # (A, q)        how many of them


def empty_state(n_arms: int, n_outputs: int, dim: int, working_sparsity: int) -> State:
    """The state before the first round: mu = 0."""
    block = min(max(dim // (n_arms * n_outputs), FEW), BLOCK)  # every output passes over the rows that wait
    return State(
        rounds=np.zeros(1, dtype=np.int64),
        gram=np.zeros((n_arms, dim, dim)),
        rows=np.zeros((n_arms, block, dim)),
        waiting=np.zeros(n_arms, dtype=np.int64),
        moment=np.zeros((n_arms, n_outputs, dim)),
        mu=np.zeros((n_arms, n_outputs, dim)),
        support=np.zeros((n_arms, n_outputs, working_sparsity), dtype=np.int64),
        size=np.zeros((n_arms, n_outputs), dtype=np.int64),
    )


@kernel
def largest(v, s, out):
    """Write the s coordinates of largest |v| to `out`; ties go to the lower coordinate."""
    d = v.size
    for i in range(s):  # `out` is a heap: its root is the weakest coordinate kept so far
        _sift_up(v, out, i, i)
    for i in range(s, d):
        if abs(v[i]) > abs(v[out[0]]):
            _sift_down(v, out, s, i)


@kernel
def _weaker(v, i, j):
    return abs(v[i]) < abs(v[j]) or (abs(v[i]) == abs(v[j]) and i > j)


@kernel
def _sift_up(v, heap, hole, item):
    while hole > 0 and _weaker(v, item, heap[(hole - 1) // 2]):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = item


@kernel
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


@kernel
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
    if state.waiting[arm] == state.rows.shape[1]:
        _absorb(state.gram[arm], state.rows[arm])
        state.waiting[arm] = 0


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


@kernel
def add_gram_product(gram, rows, waiting, support, v, out):
    """
    out += S v for v supported on `support`; S is symmetric, so its rows serve as columns, four at a time.

    Two indices rather than a view of each row: a view costs numba two atomic operations.
    """
    fours = support.size - support.size % 4
    for n in range(0, fours, 4):
        j0, j1, j2, j3 = support[n], support[n + 1], support[n + 2], support[n + 3]
        v0, v1, v2, v3 = v[j0], v[j1], v[j2], v[j3]
        for i in range(out.size):
            out[i] += (v0 * gram[j0, i] + v1 * gram[j1, i]) + (v2 * gram[j2, i] + v3 * gram[j3, i])
    for n in range(fours, support.size):
        j = support[n]
        vj = v[j]
        for i in range(out.size):
            out[i] += vj * gram[j, i]
    for k in range(waiting):
        inner = 0.0
        for j in support:
            inner += rows[k, j] * v[j]
        for i in range(out.size):
            out[i] += inner * rows[k, i]


@kernel
def quadratic_form(gram, rows, waiting, support, v):
    """v_S' S v_S on the coordinates S of `support`."""
    total = 0.0
    for a in range(support.size):
        i = support[a]
        below = 0.0
        for b in range(a):
            below += gram[i, support[b]] * v[support[b]]
        total += v[i] * (gram[i, i] * v[i] + 2.0 * below)
    for k in range(waiting):
        inner = 0.0
        for j in support:
            inner += rows[k, j] * v[j]
        total += inner * inner
    return total


@kernel
def line_search(gram, rows, waiting, support, gradient):
    """The step that minimises the loss along the gradient on the support; 0 where the loss is flat."""
    curvature = quadratic_form(gram, rows, waiting, support, gradient)
    if curvature <= 0.0:
        return 0.0
    squares = 0.0
    for j in support:
        squares += gradient[j] * gradient[j]
    return squares / curvature


@kernel
def gradient_step(state, arm, output, step, v, chosen):
    """Line 8 for one output: write mu less the step along the averaged gradient to `v`, return its length."""
    gram, rows, waiting = state.gram[arm], state.rows[arm], state.waiting[arm]
    mu, moment = state.mu[arm, output], state.moment[arm, output]
    size = state.size[arm, output]
    support = state.support[arm, output]
    for i in range(mu.size):
        v[i] = -moment[i]
    add_gram_product(gram, rows, waiting, support[:size], mu, v)
    if step >= 0.0:
        rate = 2.0 * step / state.rounds[0]
    elif size > 0:
        rate = line_search(gram, rows, waiting, support[:size], v)
    else:
        largest(v, support.size, chosen)
        rate = line_search(gram, rows, waiting, chosen, v)
    for i in range(mu.size):
        v[i] = mu[i] - rate * v[i]
    return rate


@kernel
def threshold(v, mu, support, size, chosen):
    """Line 9, mu = H_s(v): write the entries that are kept and their coordinates, return their number."""
    if size == support.size:
        _largest_near(v, support, chosen)
    else:
        largest(v, support.size, chosen)
    for i in support[:size]:
        mu[i] = 0.0
    kept = 0
    for i in chosen:
        mu[i] = v[i]
        if v[i] != 0.0:
            support[kept] = i
            kept += 1
    return kept


@kernel
def _largest_near(v, support, out):
    """As `largest`, quicker where most of the support stays: what is below all of it is not among the s largest."""
    weakest = _weakest(v, support)
    candidates = np.empty(v.size, dtype=np.int64)
    n = 0
    for i in range(v.size):
        candidates[n] = i
        n += abs(v[i]) >= weakest
    if n <= support.size:  # fewer if v is not finite
        out[:] = support
        return
    values = np.empty(n)
    for c in range(n):
        values[c] = v[candidates[c]]
    largest(values, out.size, out)
    for c in range(out.size):
        out[c] = candidates[out[c]]


@kernel
def stays(v, support):
    """Whether the entries of the support are strictly larger than all others."""
    weakest = _weakest(v, support)
    as_large = 0
    for i in range(v.size):
        as_large += abs(v[i]) >= weakest
    return as_large == support.size


@kernel
def _weakest(v, support):
    weakest = np.inf
    for i in support:
        weakest = min(weakest, abs(v[i]))
    return weakest


@kernel
def largest_size(v):
    """max |v_i|, by four maxima that do not wait for each other."""
    top0 = top1 = top2 = top3 = 0.0
    fours = v.size - v.size % 4
    for i in range(0, fours, 4):
        top0, top1 = max(top0, abs(v[i])), max(top1, abs(v[i + 1]))
        top2, top3 = max(top2, abs(v[i + 2])), max(top3, abs(v[i + 3]))
    for i in range(fours, v.size):
        top0 = max(top0, abs(v[i]))
    return max(top0, top1, top2, top3)


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
                if gradient_step(state, arm, output, step, v, chosen) > 0.0:
                    mu, support, size = state.mu[arm, output], state.support[arm, output], state.size[arm, output]
                    state.size[arm, output] = threshold(v, mu, support, size, chosen)


@kernel
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
