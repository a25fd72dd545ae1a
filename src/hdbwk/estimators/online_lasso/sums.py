"""What the online LASSO remembers, for many arms and many outputs that share their arm's Gram."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.estimators.kernels import Floats, Integers, add_gram_product, block_size, observe, zeros


class LassoState(NamedTuple):
    """
    Running sums of A arms with q outputs in dimension d, and the iterate of each.

    With S = sum w x x', C = sum w y x and the iterate mu the gradient is S mu - C, half that of sum w (y - x'mu)^2.
    """

    gram: Floats  # (A, d, d)       S without the rows that wait
    summed: Integers  # (A,)        how many rows it has
    rows: Floats  # (A, room, d)    the rows that wait, times sqrt(w)
    waiting: Integers  # (A,)       how many of them
    moment: Floats  # (A, q + 1, d) C for each output, then the diagonal of S
    weights: Floats  # (A, 2)       sum w, sum w^2
    squares: Floats  # (A, q)       sum w y^2
    mu: Floats  # (A, q, d)
    gradient: Floats  # (A, q, d)


def empty_lasso_state(n_arms: int, n_outputs: int, dim: int) -> LassoState:
    """The state before the first row: mu = 0."""
    return LassoState(
        gram=zeros(n_arms, dim, dim),
        summed=np.zeros(n_arms, dtype=np.int64),
        rows=zeros(n_arms, block_size(n_arms, n_outputs, dim), dim),
        waiting=np.zeros(n_arms, dtype=np.int64),
        moment=zeros(n_arms, n_outputs + 1, dim),
        weights=np.zeros((n_arms, 2)),
        squares=np.zeros((n_arms, n_outputs)),
        mu=zeros(n_arms, n_outputs, dim),
        gradient=zeros(n_arms, n_outputs, dim),
    )


@kernel
def take_in(state, arm, x, targets, weight):
    """A row enters the sums of its arm and the gradients, which are computed anew now and then against rounding."""
    observe(state, arm, x, targets, weight)
    state.weights[arm, 0] += weight
    state.weights[arm, 1] += weight * weight
    for k in range(targets.size):
        mu, gradient = state.mu[arm, k], state.gradient[arm, k]
        state.squares[arm, k] += weight * targets[k] * targets[k]
        if state.waiting[arm] == 0:
            _compute_gradient(state, arm, k)
            continue
        excess = -targets[k]
        for i in range(x.size):
            excess += x[i] * mu[i]
        excess *= weight
        for i in range(x.size):
            gradient[i] += excess * x[i]


@kernel
def _compute_gradient(state, arm, output):
    mu, gradient = state.mu[arm, output], state.gradient[arm, output]
    gradient[:] = -state.moment[arm, output]
    support = np.flatnonzero(mu)
    add_gram_product(
        state.gram[arm], state.summed[arm], state.rows[arm], state.waiting[arm], support, mu, gradient
    )
