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
    settled: NDArray[np.bool_]  # (A, q)  whether a step left mu as it was: then further ones will, until the next pull
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
def play(state, X, arm, responses, weights, beta):
    """Rounds in which `arm` was pulled, with rows X (n, d), responses (n, q), weights (n,) and the step size beta."""
    n_arms, n_outputs, dim = state.mu.shape
    g, chosen = np.empty(dim), np.empty(state.support.shape[2], dtype=np.int64)
    for n in range(X.shape[0]):
        state.rounds[0] += 1  # line 2
        if weights[n] > 0.0:
            observe(state, arm, X[n], responses[n], weights[n])  # lines 3 to 7
        for a in range(n_arms):
            for k in range(n_outputs):
                if not state.settled[a, k]:
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
        state.settled[arm, k] = False


@lean_kernel
def descend(state, arm, output, beta, waits, g, chosen):
    """Lines 8 and 9 for one regression of an arm, which `waits` if another one was pulled."""
    gradient(state, arm, output, g)  # line 8
    if beta == LINE_SEARCH:
        rate = normalized_rate(state, arm, output, waits, g, chosen)
    else:
        rate = 2.0 * beta / state.rounds[0]
    threshold(state, arm, output, rate, g, chosen)  # line 9


@lean_kernel
def gradient(state, arm, output, g):
    """Line 8: g = S mu - C, which is t / 2 times the averaged gradient."""
    mu, moment = state.mu[arm, output], state.moment[arm, output]
    support = state.support[arm, output, : state.size[arm, output]]
    for i in range(g.size):
        g[i] = -moment[i]
    add_product(state.store, arm, state.rounds[0], support, mu, g)


@lean_kernel
def threshold(state, arm, output, rate, g, chosen):
    """Line 9: mu = H_s(mu - rate g); g is overwritten."""
    mu, support, size = state.mu[arm, output], state.support[arm, output], state.size[arm, output]
    state.settled[arm, output] = True
    if rate != 0.0:
        state.size[arm, output], changed = step_and_threshold(g, rate, mu, support, size, chosen)
        state.settled[arm, output] = not changed
        expect(state.store, state.rounds[0], support[: state.size[arm, output]], g)
