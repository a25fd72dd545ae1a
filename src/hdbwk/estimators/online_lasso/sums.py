"""What the online LASSO remembers, for many arms and many outputs that share their arm's sums."""

from typing import Any, NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.algorithm import observe
from hdbwk.estimators.online_ht.rows import add_to, dot
from hdbwk.estimators.online_ht.store import Integers, add_product, aligned_zeros

ANEW = 32  # rows after which a gradient is computed anew
CREDIT = 24  # rows that new columns may sum in a round, on average: one of its own costs a pass over all rows
EARLY = 200  # rows up to which, while the support is sought, it is four times as much


class LassoState(NamedTuple):
    """
    Running sums of A arms with q outputs in dimension d, and the iterate of each.

    With S = sum w x x', which the store keeps, and C = sum w y x the gradient is S mu - C, half that of the sum of
    w (y - x'mu)^2.
    """

    moment: Floats  # (A, q + 1, d)  C for each output, then the diagonal of S
    n_rows: Integers  # (A,)
    weights: Floats  # (A, 2)        sum w, sum w^2
    squares: Floats  # (A, q)        sum w y^2
    mu: Floats  # (A, q, d)          the iterate
    gradient: Floats  # (A, q, d)
    credit: Floats  # (1,)           rows that new columns of S may still sum
    store: Any  # Gram, Active or Sparse  S
    outputs: Any = None  # Outputs   of several levels of sparsity, if there are


def initial_state(n_arms: int, n_outputs: int, dim: int, store: Any) -> LassoState:
    """The state before the first row: mu = 0."""
    return LassoState(
        moment=aligned_zeros(n_arms, n_outputs + 1, dim),
        n_rows=np.zeros(n_arms, dtype=np.int64),
        weights=np.zeros((n_arms, 2)),
        squares=np.zeros((n_arms, n_outputs)),
        mu=aligned_zeros(n_arms, n_outputs, dim),
        gradient=aligned_zeros(n_arms, n_outputs, dim),
        credit=np.zeros(1),
        store=store,
    )


@kernel
def take_in(state, arm, x, targets, weight):
    """A row enters the sums of its arm and the gradients, which are computed anew now and then against rounding."""
    observe(state, arm, x, targets, weight)
    state.n_rows[arm] += 1
    earned = 4 * CREDIT if state.n_rows[arm] <= EARLY else CREDIT
    state.credit[0] = min(state.credit[0], 2.0 * state.n_rows[arm]) + earned
    state.weights[arm, 0] += weight
    state.weights[arm, 1] += weight * weight
    for k in range(targets.size):
        state.squares[arm, k] += weight * targets[k] * targets[k]
        if state.n_rows[arm] % ANEW == 0:
            _compute_gradient(state, arm, k)
        else:
            mu, gradient = state.mu[arm, k], state.gradient[arm, k]
            add_to(gradient, weight * (dot(x, mu) - targets[k]), x)


@kernel
def _compute_gradient(state, arm, output):
    gradient = state.gradient[arm, output]
    gradient[:] = -state.moment[arm, output]
    mu = state.mu[arm, output]
    add_product(state.store, arm, state.n_rows[arm], np.flatnonzero(mu), mu, gradient)
