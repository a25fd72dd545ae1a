"""The smoothed dual near some prices: its minimum, and a lower bound from the samples that are nearly tied.

Every sample is counted at its best arm, and a share y of a nearly tied one moves to the second best. With s the margin
between the two at prices eta, replace max(0, -s) by the smooth function with slope -y, y = (1 - s / epsilon) / 2 cut to
[0, 1]. The sum

    rest . eta + weight * sum_g smooth(s_g(eta)),   s_g(eta) = margin_g - spared_g . (eta - origin),

is piecewise quadratic, and near its minimum a few Newton steps are exact. Its gradient is the capacity that the shares
leave, so they are a nearly optimal assignment, and any shares give a lower bound.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.cholesky import cholesky, cholesky_solve
from hdbwk.dual.prices import charge, keep_below_cap, weighted_sum

STEPS = 8  # of Newton, at most
REACH = 1.0  # mean change of the margins, in epsilons, beyond which the ties are no longer those of the origin
HALVINGS = 4  # of a step, at most


class Ties(NamedTuple):
    """The nearly tied samples, and what moving each from its best arm to the second best changes."""

    margin: np.ndarray  # (G,) between the two
    forgone: np.ndarray  # (G,) reward
    spared: np.ndarray  # (m, G) consumption


class SmoothSolution(NamedTuple):
    """Prices at the smooth minimum, and the best lower bound of its shares on the way."""

    eta: np.ndarray
    lower: float
    size: float  # bound for the sum of the absolute terms of `lower`
    blur: float  # what the shares lose because they are smooth
    steps: int
    near: bool  # whether the ties are still those of the origin


@kernel
def near_ties(samples, n, arms, theta):
    """The samples with margins up to theta."""
    near = np.flatnonzero(samples.margin[:n] <= theta)
    size = arms.values.shape[1]
    gain = np.zeros((size, near.size))  # of the best arm over the second best: reward, consumptions
    sample = np.empty(2 * near.size, np.int64)
    for a in range(arms.start.size - 1):
        first = 0
        for g in range(near.size):
            if samples.best_arm[near[g]] == a:
                sample[first] = g
                first += 1
        moved = first
        for g in range(near.size):
            if samples.second_arm[near[g]] == a:
                sample[moved] = g
                moved += 1
        column, values = arms.column[arms.start[a] : arms.start[a + 1]], arms.values[arms.start[a] : arms.start[a + 1]]
        contexts = np.empty((moved, column.size))
        for p in range(moved):
            x = samples.rows[near[sample[p]]]
            for k in range(column.size):
                contexts[p, k] = x[column[k]]
        responses = contexts @ values
        for p in range(moved):
            sign = 1.0 if p < first else -1.0
            for i in range(size):
                gain[i, sample[p]] += sign * responses[p, i]
    return Ties(samples.margin[near], gain[0], gain[1:])


@kernel
def minimise_smooth(ties, weight, rest, shares, origin, begin, epsilon, target):
    """Newton's method from `begin` if that is near; it stops early when the lower bound reaches `target`."""
    eta = begin if is_near(ties, origin, begin, epsilon) else origin
    share, slope = np.empty(ties.margin.size), np.empty(ties.margin.size)
    value = smooth_value(ties, weight, rest, origin, eta, epsilon, share, slope)
    lower, steps, near = -np.inf, 0, True
    while True:
        gradient = rest + weight * (ties.spared @ share)
        bound = charge(gradient, shares) - weight * weighted_sum(share, ties.forgone)
        lower = max(lower, bound)
        if lower >= target or steps == STEPS or not near:
            break
        hessian = (ties.spared * (slope * weight)) @ ties.spared.T
        step = newton_step(hessian, gradient, eta, shares)
        length = 1.0
        for _ in range(HALVINGS):
            trial = eta + length * step
            found = smooth_value(ties, weight, rest, origin, trial, epsilon, share, slope)
            if found < value:
                break
            length *= 0.5
        if not found < value:
            break
        value, eta = found, trial
        steps += 1
        near = is_near(ties, origin, eta, epsilon)
    eta = eta.copy()
    keep_below_cap(eta, shares)
    size = weight * (np.abs(ties.forgone).sum() + 2.0 * np.abs(ties.spared).sum(axis=1).max())
    blur = 0.0
    for g in range(share.size):
        blur += weight * epsilon * min(share[g], 1.0 - share[g]) * abs(1.0 - 2.0 * share[g])
    return SmoothSolution(eta, lower, size, blur, steps, near)


@kernel
def is_near(ties, origin, eta, epsilon):
    """Whether the margins at eta are still like those at the origin."""
    return np.mean(((eta - origin) @ ties.spared) ** 2) <= (REACH * epsilon) ** 2


@kernel
def smooth_value(ties, weight, rest, origin, eta, epsilon, share, slope):
    """The smoothed model at eta; fills the shares of the second arms and their derivatives."""
    margin = ties.margin.copy()
    for i in range(eta.size):
        moved = eta[i] - origin[i]
        if moved != 0.0:
            for g in range(margin.size):
                margin[g] -= moved * ties.spared[i, g]
    total = 0.0
    for g in range(margin.size):
        y = 0.5 - 0.5 * margin[g] / epsilon
        y = 0.0 if y < 0.0 else (1.0 if y > 1.0 else y)
        share[g] = y
        slope[g] = 0.5 / epsilon if 0.0 < y < 1.0 else 0.0
        total += epsilon * y * y + max(0.0, -margin[g] - epsilon)
    return weight * total + weighted_sum(rest, eta)


@kernel
def newton_step(hessian, gradient, eta, shares):
    """The step to the least quadratic model over eta >= 0, shares . eta <= 1; prices that fall to zero stay there."""
    m = eta.size
    zero = eta * np.diag(hessian) <= gradient
    factor, step, towards_cap = np.empty((m, m)), np.empty(m), np.empty(m)
    for _ in range(m + 1):
        for i in range(m):
            step[i], towards_cap[i] = -gradient[i], shares[i]
            for k in range(m):
                factor[i, k] = hessian[i, k]
                if zero[k]:
                    step[i] += hessian[i, k] * eta[k]
        for i in range(m):
            if zero[i]:
                factor[i, :] = 0.0
                factor[:, i] = 0.0
                factor[i, i] = 1.0
                step[i], towards_cap[i] = -eta[i], 0.0
        cholesky(factor)
        cholesky_solve(factor, step)
        excess = weighted_sum(shares, eta) + weighted_sum(shares, step) - 1.0
        if excess > 0.0:
            cholesky_solve(factor, towards_cap)
            step -= towards_cap * (excess / max(weighted_sum(shares, towards_cap), 1e-300))
        first, longest = -1, 1.0
        for i in range(m):
            if not zero[i] and eta[i] + longest * step[i] < 0.0:
                first, longest = i, -eta[i] / step[i]
        if first < 0:
            break
        zero[first] = True
    return np.maximum(step, -eta)
