"""From the units of the problem to those of the sifting loop, and back.

With R the scale of the rewards, lam = Z eta and all values divided by R, the rows mu_a become mu_a / R, the
rows of W_a become Z W_a / R and rho becomes Z rho / R. Where every rho is positive, the minimiser has
rho . lam <= F(lam) <= F(0) <= R, so that a Z above R / min(rho) is lowered to it: the minimum stays the same,
and the units are well scaled.
"""

import numpy as np

from hdbwk.dual.sifting import Sifter
from hdbwk.dual.solution import Array, DualSolution
from hdbwk.dual.sparse_arms import SparseArms, rescale, reward_scale

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)  # no gap below this share of the values can be seen
BACK_SHARE = 0.9  # the rest of the tolerance is for the rounding on the way back


def solve_normalised(
    sifter: Sifter, arms: SparseArms, rho: Array, Z: float, start: Array, tol: float, max_iterations: int
) -> DualSolution:
    """Solve with the rows in `arms`, which are rescaled in place; the gap is not yet judged."""
    R = reward_scale(sifter.samples, sifter.n, arms, sifter.m)
    if rho.min() > 0.0:
        Z = min(Z, R / float(rho.min()))
    if Z == 0.0:
        value = sifter.scan(sifter.n, arms, rho, np.zeros(sifter.m))
        return DualSolution(np.zeros(sifter.m), value, value, tol * R, passes=1, iterations=0)
    R = R or Z * float(np.abs(rho).max()) or 1.0
    rescale(arms, sifter.m, 1.0 / R, Z / R)
    scaled_rho = rho * (Z / R)
    tol = max(tol, -ROUNDING * float(scaled_rho.min()))  # the minimum lies between min(0, min(rho)) and 1
    start = start / max(Z, float(start.sum()))
    answer = sifter.minimise(arms, scaled_rho, start, BACK_SHARE * tol, max_iterations)
    return DualSolution(
        lam=answer.eta * Z,
        value=answer.value * R,
        lower_bound=answer.lower * R,
        tolerance=tol * R,
        passes=answer.passes,
        iterations=answer.iterations,
    )
