"""The units of a problem, its tolerance, and its solution in them."""

import numpy as np

from hdbwk.dual.arms import Arms, net_rewards
from hdbwk.dual.bounds import Goal
from hdbwk.dual.careful import careful_value, refined
from hdbwk.dual.problem import Posed, normalise, rounding_error
from hdbwk.dual.scores import scan
from hdbwk.dual.sifter import Sifter
from hdbwk.dual.solution import Array, DualSolution

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)  # no gap below this share of the values can be seen
BACK_SHARE = 0.9  # the rest of the tolerance is for rounding, half of it for each bound


def solve_normalised(
    sifter: Sifter, arms: Arms, rho: Array, Z: float, start: Array, tol: float, max_iterations: int
) -> DualSolution:
    """Solve for these arms; the gap is not yet judged.

    Where every rho is positive, the minimiser has rho . lam <= F(lam) <= F(0) <= R, so that a Z above R / min(rho) is
    lowered to it: the minimum stays the same, and the units are well scaled.
    """
    lowest = float(rho.min())
    R = sifter.reward_scale(arms, exact=False)
    if Z * lowest > R:
        R = sifter.reward_scale(arms, exact=True)
    cap = min(Z, R / lowest) if lowest > 0.0 else Z
    R = R or cap * float(np.abs(rho).max()) or 1.0
    posed = Posed(arms, rho, Z, sifter.weight, cap, R)
    tol = max(tol, ROUNDING * max(0.0, -cap / R * lowest))  # the minimum lies between -debt and 1
    if cap == 0.0:
        return solve_without_prices(sifter, posed, tol)
    answer = sifter.minimise(posed, start, Goal(BACK_SHARE * tol, 0.5 * (1.0 - BACK_SHARE) * tol, max_iterations))
    return DualSolution(
        lam=answer.lam,
        value=answer.value,
        lower_bound=answer.lower,
        rounding=answer.rounding,
        tolerance=tol * R,
        passes=answer.passes,
        iterations=answer.iterations,
    )


def solve_without_prices(sifter: Sifter, posed: Posed, tol: float) -> DualSolution:
    """The value where all prices must be zero; it is the minimum."""
    R, none = posed.reward_unit, np.zeros(sifter.m)
    value = scan(sifter.samples, sifter.n, net_rewards(posed.arms, none), 1.0)
    error = R * rounding_error(normalise(posed, sifter.n), sifter.n, value / R)
    spare = 0.5 * tol * R
    if not error <= spare:
        careful, error = careful_value(sifter.samples, sifter.n, posed, none)
        value, error = refined(value, careful, error, spare)
    return DualSolution(none, value, value - error, error, tol * R, passes=1, iterations=0)
