"""A small primal-dual interior point (Mehrotra) for the model problem of the sifting loop.

The model, in units where the cap on the prices is one, has pairs p = (sample, arm) in groups g = sample:

    minimise   rho . eta + weight * sum_g s_g          over eta >= 0, h = 1 - shares . eta >= 0
    subject to e_p = s_g - c_p + b_p . eta >= 0        for every pair p of group g

Multipliers: y_p >= 0 with sum_{p in g} y_p = weight for the pairs, z for eta >= 0, xi for the cap. Any such y
gives a lower bound, and any eta an upper bound:

    lower = sum_p y_p c_p + min(0, min_i g_i),   g = rho - sum_p y_p b_p,
    upper = rho . eta + weight * sum_g max_p (c_p - b_p . eta).

The shares of the cap are one, but for resources in units of their own, which have smaller ones and whose best prices
are known to sum up to at most one. With k = min(0, min_i g_i) over the others, `lower` has the further term
min(0, min_i (g_i - k shares_i)) over these.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.cholesky import cholesky, cholesky_solve
from hdbwk.dual.prices import charge, keep_below_cap, weighted_sum

STEP_FRACTION = 0.995  # share of the way to the boundary
PRICE_FLOOR = 0.2  # smallest price of the start, in units of the square root of the barrier
NEWTON_STEPS, NEWTON_TOLERANCE = 50, 0.01  # for the scalar equation of the start, which may be rough


class ModelSolution(NamedTuple):
    """Best prices and bounds seen by the interior point."""

    eta: np.ndarray
    upper: float
    lower: float
    y: np.ndarray  # the multipliers that give `lower`
    size: float  # bound for the sum of the absolute terms of `lower`
    iterations: int


class Iterate(NamedTuple):
    """Positive primal (eta, e, h) and dual (z, y, xi) variables; h and xi are arrays of length one."""

    eta: np.ndarray
    e: np.ndarray
    h: np.ndarray
    z: np.ndarray
    y: np.ndarray
    xi: np.ndarray


@kernel
def minimise_model(c, b, groups, weight, rho, shares, start, barrier, tol, target, max_iterations):
    """Minimise the model from prices near `start`; group g holds the pairs groups[g] to groups[g + 1] - 1.

    It is enough that the bounds are within `tol`, or that the lower one reaches `target`.
    """
    point = starting_point(c, b, groups, weight, rho, shares, start, barrier)
    direction = zero_like(point)
    n_pairs, m = b.shape
    deviation = np.empty((n_pairs, m))
    curvature = np.empty(n_pairs)
    hessian = np.empty((m, m))
    reduced_cost = np.empty(m)
    best, best_y = start.copy(), point.y.copy()
    best_upper, best_lower = np.inf, -np.inf
    iterations = 0
    while True:
        upper, lower = bounds(c, b, groups, weight, rho, shares, point, reduced_cost)
        if upper < best_upper:
            best_upper = upper
            best[:] = point.eta
        if lower > best_lower:
            best_lower = lower
            best_y[:] = point.y
        done = best_upper - best_lower <= tol or best_lower >= target
        if done or iterations == max_iterations or not np.isfinite(upper - lower):
            keep_below_cap(best, shares)
            return ModelSolution(best, best_upper, best_lower, best_y, absolute_terms(c, b, best_y), iterations)
        factorise(b, groups, shares, point, deviation, curvature, hessian)
        mu = complementarity(point, point, 0.0, 0.0)

        # Predictor: the pure Newton direction tells how much complementarity can be removed.
        newton_direction(groups, shares, point, deviation, curvature, hessian, reduced_cost, 0.0, False, direction)
        primal, dual = step_lengths(point, direction)
        sigma = (complementarity(point, direction, primal, dual) / mu) ** 3

        # Corrector: recentre and cancel the second-order term of the predictor.
        newton_direction(
            groups, shares, point, deviation, curvature, hessian, reduced_cost, sigma * mu, True, direction
        )
        primal, dual = step_lengths(point, direction)
        advance(groups, weight, point, direction, STEP_FRACTION * primal, STEP_FRACTION * dual)
        iterations += 1


@kernel
def absolute_terms(c, b, y):
    """A bound for sum_p y_p (|c_p| + 2 |b_p . eta|); the prices of the lower bound count at most twice."""
    costs = np.zeros(b.shape[1])
    rewards = 0.0
    for p in range(y.size):
        rewards += abs(y[p] * c[p])
        for i in range(costs.size):
            costs[i] += abs(y[p] * b[p, i])
    return rewards + 2.0 * costs.max()


@kernel
def starting_point(c, b, groups, weight, rho, shares, start, barrier):
    """A point with y e = eta z = h xi = barrier where it can be, and a small dual residual elsewhere."""
    n_pairs, m = b.shape
    floor = min(0.1 / (m + 1), max(PRICE_FLOOR * np.sqrt(barrier), 1e-8))
    eta = np.maximum(start, floor)
    eta *= min(1.0, (1.0 - floor) / weighted_sum(shares, eta))
    score = c - b @ eta
    e = np.empty(n_pairs)
    y = np.empty(n_pairs)
    for g in range(groups.size - 1):
        lo, hi = groups[g], groups[g + 1]
        s = centred_maximum(score, lo, hi, barrier, weight)
        for p in range(lo, hi):
            e[p] = s - score[p]
            y[p] = barrier / e[p]
    share_weight(groups, weight, y)
    h = np.array([1.0 - weighted_sum(shares, eta)])
    xi = barrier / h
    z = np.maximum(barrier / eta, rho - y @ b + xi[0] * shares)
    return Iterate(eta, e, h, z, y, xi)


@kernel
def centred_maximum(score, lo, hi, barrier, weight):
    """The s above all scores of a group with sum_p barrier / (s - score_p) = weight.

    Newton's method is monotone from the left.
    """
    highest = score[lo]
    for p in range(lo + 1, hi):
        highest = max(highest, score[p])
    s = highest + barrier / weight
    for _ in range(NEWTON_STEPS):
        value, slope = -weight, 0.0
        for p in range(lo, hi):
            inverse = 1.0 / (s - score[p])
            value += barrier * inverse
            slope += barrier * inverse * inverse
        step = value / slope
        s += step
        if step <= NEWTON_TOLERANCE * (s - highest):
            break
    return s


@kernel
def share_weight(groups, weight, y):
    """Scale y so that sum_{p in g} y_p = weight for every group."""
    for g in range(groups.size - 1):
        total = 0.0
        for p in range(groups[g], groups[g + 1]):
            total += y[p]
        for p in range(groups[g], groups[g + 1]):
            y[p] *= weight / total


@kernel
def bounds(c, b, groups, weight, rho, shares, point, reduced_cost):
    """Upper and lower bound at the point; fills the reduced cost g = rho - sum_p y_p b_p."""
    score = c - b @ point.eta
    reduced_cost[:] = rho - point.y @ b
    upper = 0.0
    for g in range(groups.size - 1):
        highest = -np.inf
        for p in range(groups[g], groups[g + 1]):
            highest = max(highest, score[p])
        upper += highest
    return weight * upper + rho @ point.eta, point.y @ c + charge(reduced_cost, shares)


@kernel
def factorise(b, groups, shares, point, deviation, curvature, hessian):
    """Cholesky factor of sum_p D_p (b_p - bbar_g)(b_p - bbar_g)' + diag(z / eta) + (xi / h) shares shares'.

    D = y / e is the curvature of a pair, bbar_g the D-weighted mean of its group.
    """
    m = b.shape[1]
    barrier = point.xi[0] / point.h[0]
    for i in range(m):
        for k in range(m):
            hessian[i, k] = barrier * shares[i] * shares[k]
        hessian[i, i] += point.z[i] / point.eta[i]
    mean = np.empty(m)
    scaled = np.empty_like(b)
    for g in range(groups.size - 1):
        mean[:] = 0.0
        total = 0.0
        for p in range(groups[g], groups[g + 1]):
            curvature[p] = point.y[p] / point.e[p]
            total += curvature[p]
            for i in range(m):
                mean[i] += curvature[p] * b[p, i]
        mean /= total
        for p in range(groups[g], groups[g + 1]):
            for i in range(m):
                deviation[p, i] = b[p, i] - mean[i]
                scaled[p, i] = curvature[p] * deviation[p, i]
    hessian += deviation.T @ scaled
    cholesky(hessian)


@kernel
def newton_direction(
    groups, shares, point, deviation, curvature, factor, reduced_cost, target, second_order, direction
):
    """Newton step towards complementarity `target`, eliminated down to the prices.

    With `second_order` the products of the direction already stored, the predictor, are subtracted from the
    target.
    """
    keep = 1.0 if second_order else 0.0
    pull_y = (target - keep * direction.e * direction.y) / point.e - point.y
    pull_z = (target - keep * direction.eta * direction.z) / point.eta - point.z
    pull_xi = (target - keep * direction.h * direction.xi) / point.h - point.xi

    rhs = point.z - reduced_cost - point.xi[0] * shares + pull_z - pull_xi[0] * shares
    rhs += pull_y @ deviation
    cholesky_solve(factor, rhs)

    direction.eta[:] = rhs
    direction.z[:] = pull_z - point.z / point.eta * rhs
    direction.h[0] = -weighted_sum(shares, rhs)
    direction.xi[0] = pull_xi[0] - point.xi[0] / point.h[0] * direction.h[0]
    slope = deviation @ rhs
    for g in range(groups.size - 1):
        lo, hi = groups[g], groups[g + 1]
        pull, total = 0.0, 0.0
        for p in range(lo, hi):
            pull += pull_y[p]
            total += curvature[p]
        for p in range(lo, hi):  # pull / total keeps sum_{p in g} y_p = weight
            direction.e[p] = slope[p] + pull / total
            direction.y[p] = pull_y[p] - curvature[p] * direction.e[p]


@kernel
def zero_like(point):
    """A direction of zeros."""
    return Iterate(
        np.zeros_like(point.eta),
        np.zeros_like(point.e),
        np.zeros_like(point.h),
        np.zeros_like(point.z),
        np.zeros_like(point.y),
        np.zeros_like(point.xi),
    )


@kernel
def step_lengths(point, direction):
    """Longest primal and dual steps in [0, 1] that keep every variable non-negative."""
    primal = longest(point.eta, direction.eta, longest(point.e, direction.e, longest(point.h, direction.h, 1.0)))
    dual = longest(point.z, direction.z, longest(point.y, direction.y, longest(point.xi, direction.xi, 1.0)))
    return primal, dual


@kernel
def longest(x, dx, step):
    """Shorten `step` until x + step dx >= 0."""
    for i in range(x.size):
        if x[i] + step * dx[i] < 0.0:
            step = -x[i] / dx[i]
    return step


@kernel
def complementarity(point, direction, primal, dual):
    """Mean product of primal and dual variables after a step along the direction."""
    total = 0.0
    for p in range(point.y.size):
        total += (point.e[p] + primal * direction.e[p]) * (point.y[p] + dual * direction.y[p])
    for i in range(point.z.size):
        total += (point.eta[i] + primal * direction.eta[i]) * (point.z[i] + dual * direction.z[i])
    total += (point.h[0] + primal * direction.h[0]) * (point.xi[0] + dual * direction.xi[0])
    return total / (point.y.size + point.z.size + 1)


@kernel
def advance(groups, weight, point, direction, primal, dual):
    """Take the steps, and remove the rounding of sum_{p in g} y_p = weight."""
    point.eta[:] += primal * direction.eta
    point.e[:] += primal * direction.e
    point.h[:] += primal * direction.h
    point.z[:] += dual * direction.z
    point.y[:] += dual * direction.y
    point.xi[:] += dual * direction.xi
    share_weight(groups, weight, point.y)
