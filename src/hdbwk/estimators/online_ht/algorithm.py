"""
Algorithm 1, Online Hard Thresholding with averaged gradient, for arms that share the rounds.

The weight w = y_a / p_a of a row is 1/p for the arm that was pulled, and 0 for the others. Sums are not averaged: with
S = t Sigma = sum w x x', which the store keeps, and C = sum w r x the gradient of line 8 is 2 g / t for g = S mu - C.
Line 10, the s0-sparse estimate, is left to those who read mu: `regressor.OnlineHT.coef_` and `bank`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.steps import LINE_SEARCH, normalized_rate
from hdbwk.estimators.online_ht.store import Integers, add_product, aligned_zeros, append, expect
from hdbwk.estimators.online_ht.threshold import step_and_threshold


class State(NamedTuple):
    """Everything that Algorithm 1 remembers, for A arms with q responses each in dimension d."""

    rounds: Integers  # (1,)            t
    moment: Floats  # (A, q + 1, d)     C for each response, then the diagonal of S
    mu: Floats  # (A, q, d)             the s-sparse iterate
    support: Integers  # (A, q, s)      its non-zero coordinates
    size: Integers  # (A, q)            how many of them
    settled: NDArray[np.bool_]  # (A, q)  whether a step left mu as it was: then all will, until the next pull
    store: Any  # Gram or Active        S


def initial_state(n_arms: int, n_outputs: int, dim: int, working_sparsity: int, store: Any) -> State:
    """Line 1: mu = 0."""
    return State(
        rounds=np.zeros(1, dtype=np.int64),
        moment=aligned_zeros(n_arms, n_outputs + 1, dim),
        mu=aligned_zeros(n_arms, n_outputs, dim),
        support=np.zeros((n_arms, n_outputs, working_sparsity), dtype=np.int64),
        size=np.zeros((n_arms, n_outputs), dtype=np.int64),
        settled=np.zeros((n_arms, n_outputs), dtype=np.bool_),
        store=store,
    )


@kernel
def play(state, X, responses, weights, beta):
    """Algorithm 1 for one arm, over rows X (n, d) with responses (n, q) and weights (n,)."""
    for n in range(X.shape[0]):  # line 2
        play_round(state, X[n], 0, responses[n], weights[n], beta)


@kernel
def play_round(state, x, arm, responses, weight, beta):
    """Lines 3 to 9 for all arms in a round in which `arm` was pulled, or none: beta is the step size or LINE_SEARCH."""
    n_arms, n_outputs, dim = state.mu.shape
    g, chosen = np.empty(dim), np.empty(state.support.shape[2], dtype=np.int64)
    state.rounds[0] += 1  # line 2: t
    if weight > 0.0:
        observe(state, arm, x, responses, weight)  # lines 3 to 7
    for a in range(n_arms):
        for k in range(n_outputs):
            if a == arm or not state.settled[a, k]:
                descend(state, a, k, beta, a != arm, g, chosen)  # lines 8 and 9


@kernel
def observe(state, arm, x, responses, weight):
    """Line 7, and the sum in line 8: a row enters the sums of its arm."""
    root, diagonal = np.sqrt(weight), state.moment[arm, responses.size]
    append(state.store, arm, x, root)
    for i in range(x.size):
        diagonal[i] += (root * x[i]) * (root * x[i])
    for k in range(responses.size):
        moment, factor = state.moment[arm, k], weight * responses[k]
        for i in range(x.size):
            moment[i] += factor * x[i]


@lean_kernel
def descend(state, a, k, beta, waits, g, chosen):
    """Lines 8 and 9 for one response of an arm, which `waits` if it was not pulled."""
    t, store, mu, moment = state.rounds[0], state.store, state.mu[a, k], state.moment[a, k]
    support, diagonal = state.support[a, k, : state.size[a, k]], state.moment[a, -1]
    gradient(store, a, t, mu, support, moment, g)  # line 8
    if beta == LINE_SEARCH:
        rate = normalized_rate(store, a, mu, support, moment, diagonal, waits, g, chosen)
    else:
        rate = 2.0 * beta / t  # of g
    if rate == 0.0:
        state.settled[a, k] = True
        return
    size, changed = step_and_threshold(g, rate, mu, state.support[a, k], support.size, chosen)  # line 9
    state.size[a, k], state.settled[a, k] = size, not changed
    expect(store, t, state.support[a, k, :size], g)


@lean_kernel
def gradient(store, arm, t, mu, support, moment, g):
    """Line 8: g = S mu - C, t / 2 times the averaged gradient."""
    for i in range(g.size):
        g[i] = -moment[i]
    add_product(store, arm, t, support, mu, g)
