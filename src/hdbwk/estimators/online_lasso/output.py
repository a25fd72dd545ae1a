"""
From the LASSO to a sparse estimate without its shrinkage.

The s0 largest entries are refitted by least squares. Then comes one step of subspace pursuit (Dai and Milenkovic 2009):
if a gradient elsewhere is above the noise, the s0 coordinates with the largest gradient join them, all are refitted,
the s0 largest stay and are refitted, and the better of the two is taken.
"""

import math

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.estimators.online_ht.least_squares import least_squares
from hdbwk.estimators.online_ht.store import peek_product
from hdbwk.estimators.online_ht.threshold import largest
from hdbwk.estimators.online_lasso.descent import effective_rows, noise_variance, penalty_level

NOISE = 2.0  # the scale at which the penalty is sigma sqrt(log(d n) / n): the largest gradient of noise
ALL = 0  # sparsity of the LASSO as it is


@kernel
def write_output(state, arm, output, sparsity, threshold, ridge, out):
    """The estimate of one output, into `out`."""
    mu = state.mu[arm, output]
    if sparsity == ALL and threshold == 0.0:
        out[:] = mu
        return
    out[:] = 0.0
    support = np.flatnonzero(mu)
    if threshold > 0.0:
        support = _above(state, arm, output, support, threshold)
    if sparsity != ALL and support.size > sparsity:
        support = support[_strongest(state, arm, support, mu[support], sparsity)]
    coefficients, gain = _refit(state, arm, output, support, ridge)
    if sparsity != ALL and threshold == 0.0:
        joined = _joined(state, arm, output, support, coefficients, sparsity)
        if joined.size > support.size:
            others = joined
            if joined.size > sparsity:
                joined_coefficients, _ = _refit(state, arm, output, joined, ridge)
                others = joined[_strongest(state, arm, joined, joined_coefficients, sparsity)]
            other_coefficients, other_gain = _refit(state, arm, output, others, ridge)
            if other_gain > gain:
                support, coefficients = others, other_coefficients
    for n in range(support.size):
        out[support[n]] = coefficients[n]


@kernel
def _above(state, arm, output, support, threshold):
    """The coordinates whose part in the responses, |mu_j| rms_j, is above a share of the noise."""
    level = threshold * math.sqrt(noise_variance(state, arm, output) * state.weights[arm, 0])
    diagonal = state.moment[arm, state.mu.shape[1]]
    mu = state.mu[arm, output]
    kept = np.empty(support.size, dtype=np.int64)
    size = 0
    for j in support:
        if abs(mu[j]) * math.sqrt(diagonal[j]) > level:
            kept[size] = j
            size += 1
    return kept[:size]


@kernel
def _strongest(state, arm, support, coefficients, size):
    """The places of the largest coefficients, each times the scale of its column."""
    diagonal = state.moment[arm, state.mu.shape[1]]
    parts = np.empty(support.size)
    for n in range(support.size):
        parts[n] = coefficients[n] * math.sqrt(diagonal[support[n]])
    chosen = np.empty(size, dtype=np.int64)
    largest(parts, size, chosen)
    return chosen


@kernel
def _joined(state, arm, output, support, coefficients, size):
    """The support, and `size` other coordinates of the largest gradient if one is above the noise."""
    dim = state.mu.shape[2]
    mu, gradient = np.zeros(dim), -state.moment[arm, output]
    for n in range(support.size):
        mu[support[n]] = coefficients[n]
    peek_product(state.store, arm, support, mu, gradient)
    diagonal = state.moment[arm, state.mu.shape[1]]
    gradient[support] = 0.0
    top = 0.0
    for i in range(dim):
        gradient[i] = gradient[i] / math.sqrt(diagonal[i]) if diagonal[i] > 0.0 else 0.0
        top = max(top, abs(gradient[i]))
    if top <= penalty_level(state, arm, output, NOISE):
        return support
    more = min(size, dim - support.size)
    joined = np.empty(support.size + more, dtype=np.int64)
    joined[: support.size] = support
    if more > 0:
        largest(gradient, more, joined[support.size :])
    kept = support.size
    for j in joined[support.size :]:
        if gradient[j] != 0.0:
            joined[kept] = j
            kept += 1
    return joined[:kept]


@kernel
def _refit(state, arm, output, support, ridge):
    """Least squares on the support with a penalty of `ridge` rows, and its gain."""
    share = ridge / effective_rows(state, arm)
    diagonal = state.moment[arm, state.mu.shape[1]]
    return least_squares(state.store, arm, diagonal, state.moment[arm, output], support, share)
