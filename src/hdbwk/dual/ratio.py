"""The reward-to-capacity ratio Z from the first T0 rounds (Supplement, "Obtaining parameter Z")."""

from typing import NamedTuple

import numpy as np

from hdbwk.dual.resolving import ResolvingDual
from hdbwk.dual.solution import Array, DualSolution
from hdbwk.dual.validation import finite_array, positive_capacity


class RatioEstimate(NamedTuple):
    """Z, the estimate of V_UB / T behind it, and the solution of its linear programme."""

    Z: float
    value: float
    solution: DualSolution


def estimate_Z(  # noqa: N802
    contexts: Array, mu: Array, W: Array, rho: Array, slack: float = 0.0
) -> RatioEstimate:
    """Estimate V_UB / T by the linear programme of the Supplement, and Z = (V_UB / T) / min(rho).

    The paper prints the true W* in the constraint; the estimate is meant, and used here.

    Parameters
    ----------
    contexts : array of shape (T0, d)
        Contexts of the first rounds.
    mu, W : arrays of shape (K, d) and (K, m, d)
        Estimates after these rounds.
    rho : array of shape (m,)
        Capacity per round C / T, positive.
    slack : float
        The delta of the Supplement per round, added to every capacity in the programme but not in the ratio.
    """
    W = finite_array("W", W, (None, None, None))
    K, m, d = W.shape
    rho = finite_array("rho", rho, (m,))
    positive_capacity("rho", rho)
    if not 0.0 <= slack < np.inf:
        raise ValueError(f"slack = {slack} is not allowed: it must be finite and at least 0")
    dual = ResolvingDual(d, K, m)
    dual.extend(contexts)
    solution = dual.solve(mu, W, rho + slack, np.inf, tol="exact")
    return RatioEstimate(solution.value / float(rho.min()), solution.value, solution)
