"""
Coordinate descent on the LASSO of the rows so far, one sweep at a time.

The problem after n rows (n = (sum w)^2 / sum w^2 if they have weights) is that of the scaled LASSO of Sun and Zhang
(2012): with the noise level sigma^2 = sum w (y - x'mu)^2 / sum w of the iterate, minimise

    sum w (y - x'mu)^2 / sum w + c sigma sqrt(log(d n) / n) sum_j rms_j |mu_j|,

where rms_j is the root mean square of column j: another unit of y, of a column or of the weights changes nothing else.
"""

import math

from hdbwk.core.compiled import lean_kernel
from hdbwk.estimators.online_ht.store import add_product, ask_for_column, has_column, note_change, slope

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
    One sweep over the coordinates that are not zero, or should not be, and of whose columns of S the store has a sum.

    The gradient is followed on these coordinates alone, and updated in one product at the end. `change`, `order` and
    `products` have room for d numbers, or for the rows that wait.
    """
    store = state.store
    mu, gradient, diagonal = state.mu[arm, output], state.gradient[arm, output], state.moment[arm, state.mu.shape[1]]
    tau = penalty_level(state, arm, output, scale)
    size, lacking = 0, mu.size
    for j in range(mu.size):
        if mu[j] != 0.0 or abs(gradient[j]) > tau * math.sqrt(diagonal[j]):
            if has_column(store, j):
                order[size] = j
                size += 1
            else:
                lacking -= 1
                order[lacking] = j
    _ask_for_columns(state, arm, gradient, diagonal, order[lacking:])
    for k in range(products.size):
        products[k] = 0.0
    moved = 0
    for n in range(size):
        j = order[n]
        after = gradient[j] + slope(store, arm, order[:moved], change, j, products)
        after = _minimiser(diagonal[j] * mu[j] - after, tau * math.sqrt(diagonal[j])) / diagonal[j]
        if after != mu[j]:
            change[j] = after - mu[j]
            mu[j] = after
            note_change(store, arm, j, change[j], products)
            order[moved] = j
            moved += 1
    add_product(store, arm, state.n_rows[arm], order[:moved], change, gradient)


@lean_kernel
def _ask_for_columns(state, arm, gradient, diagonal, lacking):
    """Ask for the columns of the strongest coordinates, as far as the credit goes: each is a pass over all rows."""
    size = lacking.size
    while size > 0 and state.credit[0] >= state.n_rows[arm]:
        best, most = 0, -1.0
        for n in range(size):
            strength = abs(gradient[lacking[n]]) / math.sqrt(diagonal[lacking[n]])
            if strength > most:
                best, most = n, strength
        ask_for_column(state.store, state.n_rows[arm], lacking[best])
        state.credit[0] -= state.n_rows[arm]
        size -= 1
        lacking[best] = lacking[size]


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
