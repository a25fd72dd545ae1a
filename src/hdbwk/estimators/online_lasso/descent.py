"""
Coordinate descent on the LASSO of the rows so far, one sweep at a time.

The problem after n rows (n = (sum w)^2 / sum w^2 if they have weights) is that of the scaled LASSO of Sun and Zhang
(2012): with the noise level sigma^2 = sum w (y - x'mu)^2 / sum w of the iterate, minimise

    sum w (y - x'mu)^2 / sum w + c sigma sqrt(log(d n) / n) sum_j rms_j |mu_j|,

where rms_j is the root mean square of column j: another unit of y, of a column or of the weights changes nothing else.
"""

import math

from hdbwk.core.compiled import lean_kernel
from hdbwk.estimators.online_ht.store import add_product

EXACT = 1e-8  # a share of the mean of y^2 below which residuals do not count as noise


@lean_kernel
def noise_variance(state, arm, output):
    """sigma^2: the mean squared residual of the iterate."""
    mu, moment, gradient = state.mu[arm, output], state.moment[arm, output], state.gradient[arm, output]
    residual = state.squares[arm, output]
    for i in range(mu.size):
        residual += mu[i] * (gradient[i] - moment[i])
    return max(residual, EXACT * state.squares[arm, output]) / state.weights[arm, 0]


@lean_kernel
def effective_rows(state, arm):
    """n: the number of rows of equal weight that know as much."""
    return state.weights[arm, 0] ** 2 / state.weights[arm, 1]


@lean_kernel
def penalty_level(state, arm, output, scale):
    """tau: mu_j = 0 is optimal where |gradient_j| <= tau sqrt(S_jj)."""
    logarithm = math.log(state.mu.shape[2] * effective_rows(state, arm))
    share = state.weights[arm, 1] / state.weights[arm, 0]
    return 0.5 * scale * math.sqrt(max(logarithm, 0.0) * share * noise_variance(state, arm, output))


@lean_kernel
def sweep(state, arm, output, scale, change, order, products):
    """
    One sweep over the coordinates that are not zero, or should not be.

    The gradient is followed on these coordinates alone, and updated in one product at the end. `change` and `order`
    have room for d numbers, `products` for the rows that wait.
    """
    gram, rows, waiting = state.store.gram[arm], state.store.rows[arm], state.store.waiting[arm]
    mu, gradient, diagonal = state.mu[arm, output], state.gradient[arm, output], state.moment[arm, state.mu.shape[1]]
    tau = penalty_level(state, arm, output, scale)
    size = 0
    for j in range(mu.size):
        if mu[j] != 0.0 or abs(gradient[j]) > tau * math.sqrt(diagonal[j]):
            order[size] = j
            size += 1
    for k in range(waiting):
        products[k] = 0.0
    moved = 0
    for n in range(size):
        j = order[n]
        slope = gradient[j]
        for m in range(moved):
            slope += gram[order[m], j] * change[order[m]]
        for k in range(waiting):
            slope += rows[k, j] * products[k]
        after = _minimiser(diagonal[j] * mu[j] - slope, tau * math.sqrt(diagonal[j])) / diagonal[j]
        if after != mu[j]:
            change[j] = after - mu[j]
            mu[j] = after
            for k in range(waiting):
                products[k] += rows[k, j] * change[j]
            order[moved] = j
            moved += 1
    add_product(state.store, arm, 0, order[:moved], change, gradient)


@lean_kernel
def _minimiser(v, tau):
    """Soft thresholding."""
    if v > tau:
        return v - tau
    if v < -tau:
        return v + tau
    return 0.0


@lean_kernel
def optimality_gap(state, arm, output, scale):
    """The largest violation of the optimality conditions, as a share of |x_j| |y|."""
    mu, gradient, diagonal = state.mu[arm, output], state.gradient[arm, output], state.moment[arm, state.mu.shape[1]]
    tau, length = penalty_level(state, arm, output, scale), math.sqrt(state.squares[arm, output])
    gap = 0.0
    for j in range(mu.size):
        if diagonal[j] > 0.0 and length > 0.0:
            slope = gradient[j] / math.sqrt(diagonal[j])
            violation = abs(slope + math.copysign(tau, mu[j])) if mu[j] != 0.0 else max(abs(slope) - tau, 0.0)
            gap = max(gap, violation / length)
    return gap
