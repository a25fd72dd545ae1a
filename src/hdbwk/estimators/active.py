"""
Algorithm 1 with rounds of O(d s): the history of the pulled rows, and Gram columns of few coordinates.

A gradient needs S mu, that is, the columns of S on the support. A column that was needed once is kept; it remembers
how many rows it sums and catches up when it is needed and behind (`columns`). What is missing in columns that are a
little behind, or many at once while supports churn in the first rounds, comes from one pass X'(X mu) over the rows
that they lack.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.estimators.columns import LAG, TILE, add_rows, catch_up, give_slots, sum_beside, summed_rows
from hdbwk.estimators.kernels import BLOCK, Floats, Integers, State, zeros
from hdbwk.estimators.selection import step_and_threshold
from hdbwk.estimators.steps import brings_in, is_ordinary, minimising_step, moderate, others_call

SLOTS = 16  # columns kept, as a multiple of all supports


class Active(NamedTuple):
    """Everything that Algorithm 1 remembers, for one arm, q outputs and dimension d; shapes as in `State`."""

    rounds: Integers  # (1,)        t
    rows: Floats  # (capacity, d)   the pulled rows, times sqrt(w)
    n_rows: Integers  # (1,)        how many of them
    moment: Floats  # (1, q + 1, d) C for each output, then the diagonal of S
    mu: Floats  # (1, q, d)         the s-sparse iterate
    support: Integers  # (1, q, s)  its non-zero coordinates
    size: Integers  # (1, q)        how many of them
    columns: Floats  # (slots, d)   columns of S
    summed: Integers  # (slots,)    how many rows each has
    owner: Integers  # (slots,)     its coordinate, -1 if the slot is free
    used: Integers  # (slots,)      the round in which it was last needed
    slot: Integers  # (d,)          the slot of a coordinate, -1 if it has none


def empty_active(n_outputs: int, dim: int, working_sparsity: int) -> Active:
    """The state before the first round: mu = 0."""
    slots = min(SLOTS * n_outputs * working_sparsity + LAG, dim)
    return Active(
        rounds=np.zeros(1, dtype=np.int64),
        rows=np.zeros((0, dim)),
        n_rows=np.zeros(1, dtype=np.int64),
        moment=zeros(1, n_outputs + 1, dim),
        mu=zeros(1, n_outputs, dim),
        support=np.zeros((1, n_outputs, working_sparsity), dtype=np.int64),
        size=np.zeros((1, n_outputs), dtype=np.int64),
        columns=zeros(slots, dim),
        summed=np.zeros(slots, dtype=np.int64),
        owner=np.full(slots, -1),
        used=np.zeros(slots, dtype=np.int64),
        slot=np.full(dim, -1),
    )


def reserve(active: Active, n_more: int) -> Active:
    """Make room for more rows, in place: large blocks grow without a copy."""
    needed = int(active.n_rows[0]) + n_more
    if needed <= len(active.rows):
        return active
    rows = active.rows if active.rows.flags.owndata else active.rows.copy()  # others cannot grow, as after unpickling
    rows.resize((max(needed, len(rows) * 3 // 2), rows.shape[1]), refcheck=False)
    return active._replace(rows=rows)


def with_gram(active: Active) -> State:
    """The same state with the whole Gram instead of the history."""
    rows = active.rows[: active.n_rows[0]]
    return State(
        rounds=active.rounds,
        gram=(rows.T @ rows)[None],
        summed=active.n_rows,
        rows=zeros(1, BLOCK, rows.shape[1]),
        waiting=np.zeros(1, dtype=np.int64),
        moment=active.moment,
        mu=active.mu,
        support=active.support,
        size=active.size,
    )


@kernel
def advance_active(active, X, targets, weights, step):
    """Algorithm 1 over rows in order, as `advance`; there must be room for those of positive weight."""
    (_, n_outputs, s), room = active.support.shape, active.rows.shape[0]
    v = np.empty(X.shape[1])
    chosen = np.empty(s, dtype=np.int64)
    factors, places = np.empty((2, room)), np.arange(room)
    for n in range(X.shape[0]):
        active.rounds[0] += 1
        if weights[n, 0] > 0.0:
            _observe(active, X[n], targets[n, 0], weights[n, 0])
        for output in range(n_outputs):
            rate = _gradient_step(active, output, step, v, chosen, factors, places)
            if rate != 0.0:
                mu, support, size = active.mu[0, output], active.support[0, output], active.size[0, output]
                active.size[0, output], _ = step_and_threshold(v, rate, mu, support, size, chosen)
                give_slots(active, output, v)


@lean_kernel
def _observe(active, x, targets, weight):
    """Line 7: a row with weight 1/p enters the history and the moments."""
    root = np.sqrt(weight)
    n = active.n_rows[0]
    for i in range(x.size):
        active.rows[n, i] = root * x[i]
        active.moment[0, -1, i] += active.rows[n, i] ** 2
    for k in range(targets.size):
        factor = weight * targets[k]
        for i in range(x.size):
            active.moment[0, k, i] += factor * x[i]
    active.n_rows[0] += 1


@kernel
def _gradient_step(active, output, step, v, chosen, factors, places):
    """Line 8 for one output, as `gradient_step`: write the gradient to `v` and return the step along it."""
    mu, support = active.mu[0, output], active.support[0, output, : active.size[0, output]]
    for i in range(mu.size):
        v[i] = -active.moment[0, output, i]
    _add_gram_product(active, support, mu, v, factors, places)
    if step >= 0.0:
        return 2.0 * step / active.rounds[0]
    if is_ordinary(v, active.moment[0, output], support):
        return _line_search(active, support, v, factors[0])
    called = others_call(v, active.moment[0, output], support, chosen)
    factor = moderate(v, chosen if called else support)
    if called:
        rate = factor * _line_search(active, chosen, v, factors[0])
        if brings_in(v, rate, mu, support, chosen):
            return rate
    return factor * _line_search(active, support, v, factors[0])


@kernel
def _add_gram_product(active, support, mu, out, factors, places):
    """out += S mu: from the rows that the columns of the support lack, and from the columns."""
    n = active.n_rows[0]
    alone = catch_up(active, support, factors, places)
    first_row = _lacking_products(active, _ordered(active, support), mu, factors[0])
    if alone >= 0:
        sum_beside(active, alone, factors[0], first_row, out, factors[1], places)
        first_row = n
    slots, values = _columns_of(active, support, mu)
    for first in range(0, out.size, TILE):
        tile = out[first : first + TILE]
        add_rows(active.columns, slots, values, 0, slots.size, first, tile)
        add_rows(active.rows, places, factors[0], first_row, n, first, tile)


@kernel
def _columns_of(active, support, mu):
    """The slots of the coordinates that have columns, and their entries of mu."""
    slots, values = np.empty(support.size, dtype=np.int64), np.empty(support.size)
    n = 0
    for j in support:
        if active.slot[j] >= 0:
            active.used[active.slot[j]] = active.rounds[0]
            slots[n], values[n] = active.slot[j], mu[j]
            n += 1
    return slots[:n], values[:n]


@kernel
def _ordered(active, support):
    """The coordinates of the support, those whose columns have fewest rows first."""
    order = support.copy()
    for n in range(1, order.size):
        j, m = order[n], n
        while m > 0 and summed_rows(active, order[m - 1]) > summed_rows(active, j):
            order[m] = order[m - 1]
            m -= 1
        order[m] = j
    return order


@lean_kernel
def _lacking_products(active, order, v, factors):
    """Write x_k' v over the coordinates whose columns lack row k, from the first such k on, which is returned."""
    n = active.n_rows[0]
    first = summed_rows(active, order[0]) if order.size > 0 else n
    lacking = 0
    for k in range(first, n):
        while lacking < order.size and summed_rows(active, order[lacking]) <= k:
            lacking += 1
        factors[k] = 0.0
        for m in range(lacking):
            factors[k] += active.rows[k, order[m]] * v[order[m]]
    return first


@kernel
def _line_search(active, support, gradient, factors):
    """The step that minimises the loss along the gradient on the support."""
    order = _ordered(active, support)
    squares = curvature = diagonal = 0.0
    for m in range(order.size):
        i, slot = order[m], active.slot[order[m]]
        squares += gradient[i] * gradient[i]
        diagonal += gradient[i] * gradient[i] * active.moment[0, -1, i]
        if slot >= 0:  # an entry of S comes from that of its two columns which has more rows
            before = 0.0
            for b in range(m):
                before += active.columns[slot, order[b]] * gradient[order[b]]
            curvature += gradient[i] * (active.columns[slot, i] * gradient[i] + 2.0 * before)
    first = _lacking_products(active, order, gradient, factors)
    for k in range(first, active.n_rows[0]):
        curvature += factors[k] * factors[k]
    return minimising_step(squares, curvature, diagonal)
