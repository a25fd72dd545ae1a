"""From the units of the problem to those of the sifting loop, and back.

With R the scale of the rewards, lam = Z eta and all values divided by R, the rows mu_a become mu_a / R, the
rows of W_a become Z W_a / R and rho becomes Z rho / R. Where every rho is positive, the minimiser has
rho . lam <= F(lam) <= F(0) <= R, so that a Z above R / min(rho) is lowered to it: the minimum stays the same,
and the units are well scaled.

A resource i whose consumption is then far above one has a unit of its own: lam_i = Z q_i eta_i with a small power of
two q_i. The cap on the prices becomes q . eta <= 1. If min(rho) < 0, the minimiser has rho . lam <= R only up to
Z |min(rho)|; with V = R + Z max(0, -min(rho)) and q_i >= 2 V / (Z rho_i) the prices of these resources sum up to at
most one.
"""

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.careful import careful_value, refined
from hdbwk.dual.problem import Normalised, Posed, rounding_error
from hdbwk.dual.sifting import Goal, Sifter
from hdbwk.dual.solution import Array, DualSolution
from hdbwk.dual.sparse_arms import SparseArms, longest_sum, rescaled, reward_scale, row_sizes

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)  # no gap below this share of the values can be seen
BACK_SHARE = 0.9  # the rest of the tolerance is for rounding, half of it for each bound
FAR = 2.0**16  # a resource has a unit of its own if consumption and capacity are above this in the common one


def solve_normalised(
    sifter: Sifter, arms: SparseArms, rho: Array, Z: float, start: Array, tol: float, max_iterations: int
) -> DualSolution:
    """Solve with the rows in `arms`; the gap is not yet judged."""
    R = reward_scale(sifter.samples, sifter.n, arms, sifter.m)
    lowest = float(rho.min())
    cap = min(Z, R / lowest) if lowest > 0.0 else Z
    R = R or cap * float(np.abs(rho).max()) or 1.0
    posed = Posed(arms, rho, Z, sifter.weight)
    problem = normalise(arms, rho, sifter.weight, sifter.n, cap, R)
    tol = max(tol, ROUNDING * problem.debt)  # the minimum lies between -debt and 1
    if cap == 0.0:
        return solve_without_prices(sifter, posed, problem, tol)
    start = start / (max(cap, float(start.sum())) * problem.shares)
    goal = Goal(BACK_SHARE * tol, 0.5 * (1.0 - BACK_SHARE) * tol, max_iterations)
    answer = sifter.minimise(posed, problem, start, goal)
    return DualSolution(
        lam=answer.eta * problem.price_units,
        value=answer.value * R,
        lower_bound=answer.lower * R,
        rounding=answer.rounding * R,
        tolerance=tol * R,
        passes=answer.passes,
        iterations=answer.iterations,
    )


@kernel
def normalise(arms, rho, weight, n, cap, R):
    """The problem in units where rewards and prices are of order one; `cap` bounds the sum of the prices."""
    sizes = row_sizes(arms, rho.size, weight, n)
    shares = unit_shares(sizes[1:], rho, cap, R)
    factors = cap * shares / R
    return Normalised(
        rescaled(arms, 1.0 / R, factors),
        rho * factors,
        shares,
        cap * shares,
        R,
        sizes[0] / R,
        ((sizes[1:] + np.abs(rho)) * factors).max(),
        max(0.0, -cap / R * rho.min()),
        longest_sum(arms, rho.size),
    )


@kernel
def unit_shares(sizes, rho, cap, R):
    """The powers of two q; ones where consumption (of mean size `sizes`) or capacity is moderate in common units."""
    shares = np.ones(rho.size)
    budget = R + cap * max(0.0, -rho.min())
    for i in range(rho.size):
        far = cap * min(sizes[i] / R, rho[i] / (2.0 * budget))
        if far > FAR:
            shares[i] = 0.5 ** np.floor(np.log2(far))
    return shares


def solve_without_prices(sifter: Sifter, posed: Posed, problem: Normalised, tol: float) -> DualSolution:
    """The value where all prices must be zero; it is the minimum."""
    R, none = problem.reward_unit, np.zeros(sifter.m)
    value = sifter.scan(sifter.n, posed.arms, posed.rho, none)
    error = R * rounding_error(problem, sifter.n, value / R)
    spare = 0.5 * tol * R
    if not error <= spare:
        careful, error = careful_value(sifter.samples, sifter.n, posed, none)
        value, error = refined(value, careful, error, spare)
    return DualSolution(none, value, value - error, error, tol * R, passes=1, iterations=0)
