"""Algorithm 1 with more work a round: several steps, and least squares on what the threshold keeps (Foucart 2011)."""

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.estimators.online_ht.algorithm import begin_round, descend
from hdbwk.estimators.online_ht.least_squares import least_squares
from hdbwk.estimators.online_ht.rows import count, row

RIDGE = 1e-10  # share of the squares of a column, so that equal columns have a solution


@kernel
def pursue(state, X, responses, weights, beta, inner_steps, refit):
    """As `algorithm.play`, with `inner_steps` times lines 8 and 9 in a round, each refitted on its support or not."""
    n_iterates, dim = state.mu.shape[1:]
    g, chosen = np.empty(dim), np.empty(state.support.shape[2], dtype=np.int64)
    for n in range(count(X)):
        begin_round(state, row(X, n), 0, responses[n], weights[n])
        for k in range(n_iterates):
            for _ in range(inner_steps):
                descend(state, 0, k, beta, False, g, chosen)
                if refit:
                    _refit(state, k)


@kernel
def _refit(state, k):
    support = state.support[0, k, : state.size[0, k]]
    moment = state.moment[0, k % state.levels.best.size]
    solution, _ = least_squares(state.store, 0, state.moment[0, -1], moment, support, RIDGE)
    for n in range(support.size):
        state.mu[0, k, support[n]] = solution[n]
