"""Both bounds in doubled precision, for problems where the rounding of doubles is not negligible.

They are computed from the data as given, not from normalised ones, and each comes with a bound for what rounding
is left. They cost tens of passes over the samples, which ordinary problems with ordinary tolerances never need.
"""

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.double_double import UNIT, add, add_product, divide

SQUARED = 16.0 * UNIT * UNIT  # relative error of one operation, generously


@kernel
def refined(value, careful, error, spare):
    """A value that the careful one confirms up to `spare`, or else that one; and its error."""
    distance = abs(value - careful) + error
    return (value, distance) if distance <= spare else (careful, error)


@kernel
def careful_value(samples, n, posed, lam):
    """F(lam) and a bound for its error; both infinite if numbers overflow."""
    arms, rho = posed.arms, posed.rho
    m, d = rho.size, posed.weight.size
    K, used = arms.start.size - 1, arms.column.size
    high, low, size = np.zeros(used), np.zeros(used), np.zeros(used)  # mu_a - W_a' lam, and of its terms
    for k in range(used):
        for i in range(m + 1):
            factor = 1.0 if i == 0 else -lam[i - 1]
            high[k], low[k] = add_product(high[k], low[k], arms.values[k, i], 0.0, factor)
            size[k] += abs(factor * arms.values[k, i])
    share = SQUARED * (d + m + 8)
    score, rest, doubt = np.zeros(K + 1), np.zeros(K + 1), np.zeros(K + 1)
    total = total_low = error = 0.0
    for j in range(n):
        x = samples.rows[j]
        best = K  # the null arm
        for a in range(K):
            score[a] = rest[a] = doubt[a] = 0.0
            for k in range(arms.start[a], arms.start[a + 1]):
                entry = x[arms.column[k]]
                score[a], rest[a] = add_product(score[a], rest[a], high[k], low[k], entry)
                doubt[a] += share * size[k] * abs(entry)
            if not np.isfinite(score[a] + doubt[a]):
                return np.inf, np.inf
            if score[a] > score[best]:
                best = a
        total, total_low = add(total, total_low, score[best], rest[best])
        error += max(0.0, ((score - score[best]) + (rest - rest[best]) + doubt).max())
    value, value_low = divide(total, total_low, n)
    size_of_costs = 0.0
    for i in range(m):
        value, value_low = add_product(value, value_low, rho[i], 0.0, lam[i])
        size_of_costs += abs(rho[i] * lam[i])
    if not np.isfinite(value):
        return np.inf, np.inf
    error = 1.01 * error / n + SQUARED * (n + m) * (total / n + size_of_costs) + 2.0 * UNIT * abs(value)
    return value, error


@kernel
def careful_lower(samples, n, posed, pairs, y, upper):
    """The lower bound of the fixed arms and of the shares y of the pairs, less its error.

    `upper` is an upper bound on the minimum; it bounds the prices where every capacity is positive.
    """
    arms, rho, weight = posed.arms, posed.rho, posed.weight
    m = rho.size
    high, low = assigned_sums(samples, n, posed, pairs, y)
    K = high.shape[0]
    share = SQUARED * ((K + 2) * n + arms.column.size + weight.size + 8)
    reward = 0.0
    slack = np.empty(m)  # rho less the consumption
    for i in range(m + 1):
        total = total_low = size = 0.0
        for a in range(K):
            for k in range(arms.start[a], arms.start[a + 1]):
                column, entry = arms.column[k], arms.values[k, i]
                total, total_low = add_product(total, total_low, high[a, column], low[a, column], entry)
                size += abs(entry) * weight[column]
        mean, mean_low = divide(total, total_low, n)
        error = share * size / n
        if i == 0:
            reward = mean - error - 2.0 * UNIT * abs(mean)
        else:
            slack[i - 1] = add(rho[i - 1], 0.0, -mean, -mean_low)[0]
            slack[i - 1] -= error + 2.0 * UNIT * abs(slack[i - 1]) + SQUARED * abs(rho[i - 1])
    if not np.isfinite(reward + slack.sum()):
        return -np.inf
    return reward + penalty(slack, rho, posed.Z, upper) - 4.0 * UNIT * abs(reward)


@kernel
def penalty(slack, rho, Z, upper):
    """What an assignment that leaves `slack` must be charged: a lower bound of slack . lam at the best prices.

    These sum up to at most Z, and those with positive rho have rho . lam <= budget = upper + Z max(0, -min(rho)). The
    multiplier xi of Z covers the resources for which Z is the tighter bound, and the budget what is left of the others.
    """
    debt = max(0.0, -rho.min())
    budget = max(0.0, upper) + (Z * debt if debt > 0.0 else 0.0)
    budget *= 1.0 + 8.0 * UNIT
    xi, share = 0.0, 0.0
    for i in range(rho.size):
        if budget >= Z * rho[i]:
            xi = max(xi, -slack[i])
    for i in range(rho.size):
        if budget < Z * rho[i]:
            share = min(share, (slack[i] + xi) / rho[i] - 2.0 * UNIT * (abs(slack[i]) + xi) / rho[i])
    charge = (xi * Z if xi > 0.0 else 0.0) - budget * share
    return -charge * (1.0 + 8.0 * UNIT)


@kernel
def assigned_sums(samples, n, posed, pairs, y):
    """The contexts assigned to each arm: those fixed to it, and the shares y of the pairs, scaled to at most one."""
    d = posed.weight.size
    K = posed.arms.start.size - 1
    high, low = np.zeros((K, d)), np.zeros((K, d))
    for j in range(n):
        if 0 <= samples.fixed[j] < K:
            assign_share(high[samples.fixed[j]], low[samples.fixed[j]], samples.rows[j], 1.0)
    for g in range(pairs.sample.size):
        first, end = pairs.groups[g], pairs.groups[g + 1]
        total = 0.0
        for p in range(first, end):
            total += max(y[p], 0.0)
        scale = (1.0 - UNIT * (2 * (end - first) + 8)) / total
        for p in range(first, end):
            if pairs.arm[p] < K and y[p] > 0.0:
                assign_share(high[pairs.arm[p]], low[pairs.arm[p]], samples.rows[pairs.sample[g]], y[p] * scale)
    return high, low


@kernel
def assign_share(high, low, x, share):
    """Add a share of one context to the sum of an arm."""
    for k in range(x.size):
        high[k], low[k] = add_product(high[k], low[k], x[k], 0.0, share)
