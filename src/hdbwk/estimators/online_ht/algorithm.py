"""
Algorithm 1, Online Hard Thresholding with averaged gradient, for arms that share the rounds.

The weight w = y_a / p_a of a row is 1/p for the arm that was pulled, and 0 for the others. Sums are not averaged: with
S = t Sigma = sum w x x', which the store keeps, and C = sum w r x the gradient of line 8 is g = 2 (S mu - C) / t.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.levels import Levels, age, choose, note_path
from hdbwk.estimators.online_ht.rows import add_squares, add_to, count, fitted, row
from hdbwk.estimators.online_ht.steps import LINE_SEARCH, normalized_rate
from hdbwk.estimators.online_ht.store import Integers, add_product, aligned_zeros, append, expect
from hdbwk.estimators.online_ht.threshold import step_and_threshold


class State(NamedTuple):
    """Everything that Algorithm 1 remembers, for A arms with q responses each in dimension d."""

    rounds: Integers  # (1,)            t
    moment: Floats  # (A, q + 1, d)     C for each response, then the diagonal of S
    mu: Floats  # (A, L q, d)           the s-sparse iterates: of all responses at the first level of s, and so on
    support: Integers  # (A, L q, s)    their non-zero coordinates
    size: Integers  # (A, L q)          how many of them
    settled: NDArray[np.bool_]  # (A, L q)  whether a step left mu as it was: then all will, until the next pull
    levels: Levels  #                   the L levels of s: one, unless the best is to be found
    store: Any  # Gram, Active or Sparse  S


def initial_state(n_arms: int, n_outputs: int, dim: int, levels: Levels, store: Any) -> State:
    """Line 1: mu = 0."""
    n_iterates = levels.sizes.size * n_outputs
    return State(
        rounds=np.zeros(1, dtype=np.int64),
        moment=aligned_zeros(n_arms, n_outputs + 1, dim),
        mu=aligned_zeros(n_arms, n_iterates, dim),
        support=np.zeros((n_arms, n_iterates, levels.sizes.max()), dtype=np.int64),
        size=np.zeros((n_arms, n_iterates), dtype=np.int64),
        settled=np.zeros((n_arms, n_iterates), dtype=np.bool_),
        levels=levels,
        store=store,
    )


@kernel
def play(state, X, responses, weights, beta):
    """Algorithm 1 for one arm, over rows X (n, d) with responses (n, q) and weights (n,)."""
    for n in range(count(X)):  # line 2
        play_round(state, row(X, n), 0, responses[n], weights[n], beta)


@kernel
def play_round(state, x, arm, responses, weight, beta):
    """Lines 3 to 9 for all arms in a round in which `arm` was pulled, or none: beta is the step size or LINE_SEARCH."""
    n_arms, n_iterates, dim = state.mu.shape
    g, chosen = np.empty(dim), np.empty(state.support.shape[2], dtype=np.int64)
    begin_round(state, x, arm, responses, weight)  # lines 3 to 7
    for a in range(n_arms):
        for k in range(n_iterates):
            if a == arm or not (state.settled[a, k] or is_spare(state, k)):
                descend(state, a, k, beta, a != arm, g, chosen)  # lines 8 and 9


@kernel
def begin_round(state, x, arm, responses, weight):
    """Lines 3 to 7; several levels are judged by the row first."""
    state.rounds[0] += 1
    if weight > 0.0:
        if state.levels.sizes.size > 1:
            judge(state, arm, x, responses, weight)
        observe(state, arm, x, responses, weight)
    note_path(state.levels, state.rounds[0])


@kernel
def judge(state, arm, x, responses, weight):
    """Count the errors of all levels on a row that they have not seen."""
    levels = state.levels
    age(levels, weight)
    for k in range(state.mu.shape[1]):
        output, level = k % responses.size, k // responses.size
        support = state.support[arm, k, : state.size[arm, k]]
        levels.errors[output, level] += weight * (responses[output] - fitted(x, state.mu[arm, k], support)) ** 2
    choose(levels)


@lean_kernel
def is_spare(state, k):
    """Whether an iterate is of a level that is not in use: it waits for the pulls of its arm."""
    levels = state.levels
    return levels.best[k % levels.best.size] != k // levels.best.size


@kernel
def observe(state, arm, x, responses, weight):
    """Line 7, and the sum in line 8: a row enters the sums of its arm."""
    root, diagonal = np.sqrt(weight), state.moment[arm, responses.size]
    append(state.store, arm, x, root)
    add_squares(diagonal, root, x)
    for k in range(responses.size):
        add_to(state.moment[arm, k], weight * responses[k], x)


@lean_kernel
def descend(state, a, k, beta, waits, g, chosen):
    """Lines 8 and 9 for one iterate of an arm, which `waits` if it was not pulled."""
    n_outputs = state.levels.best.size
    s = state.levels.sizes[k // n_outputs]
    t, store, mu, moment = state.rounds[0], state.store, state.mu[a, k], state.moment[a, k % n_outputs]
    kept, chosen = state.support[a, k, :s], chosen[:s]
    support, diagonal = kept[: state.size[a, k]], state.moment[a, -1]
    gradient(store, a, t, mu, support, moment, g)  # line 8
    if beta == LINE_SEARCH:
        rate = normalized_rate(store, a, mu, support, moment, diagonal, waits, g, chosen)
    else:
        rate = 2.0 * beta / t
    if rate == 0.0:
        state.settled[a, k] = True
        return
    size, changed = step_and_threshold(g, rate, mu, kept, support.size, chosen)  # line 9
    state.size[a, k], state.settled[a, k] = size, not changed
    expect(store, t, kept[:size], g)


@lean_kernel
def gradient(store, arm, t, mu, support, moment, g):
    """Line 8: g = S mu - C, which is t / 2 times the averaged gradient."""
    for i in range(g.size):
        g[i] = -moment[i]
    add_product(store, arm, t, support, mu, g)
