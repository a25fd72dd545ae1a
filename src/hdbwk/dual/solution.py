"""What a dual solver returns, and the error when it cannot certify an answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hdbwk.dual.uncertified import saved

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DualSolution:
    """Prices of the resources with a certificate of their optimality.

    Attributes
    ----------
    lam : array of shape (m,)
        The prices, `lam >= 0` and `sum(lam) <= Z`.
    value : float
        The dual function at `lam`, up to rounding: an upper bound on its minimum.
    lower_bound : float
        A lower bound on the minimum, given by a feasible fractional assignment of samples to arms, less its rounding.
    rounding : float
        Bound for the rounding error of `value`.
    tolerance : float
        The gap that was asked for, in the units of `value`.
    passes, iterations : int
        Passes over all samples, and interior-point iterations.
    """

    lam: Array
    value: float
    lower_bound: float
    rounding: float
    tolerance: float
    passes: int
    iterations: int

    @property
    def gap(self) -> float:
        """Distance between the two bounds, rounding included; `lam` is not further from the minimum."""
        return self.value + self.rounding - self.lower_bound


class UncertifiedDualError(RuntimeError):
    """The gap stayed above the tolerance; the instance was saved for study."""


def certify(solution: DualSolution, Z: float, save_to: str | Path | None, **instance: Any) -> DualSolution:
    """Return the solution if its gap is closed; otherwise save the instance and raise."""
    if 0.0 <= solution.gap <= solution.tolerance:
        return solution
    fault = f"exceeds the tolerance {solution.tolerance:.3g}"
    if solution.gap < 0.0:
        fault = "is negative: the lower bound is above the value by more than rounding"
    sizes = ", ".join(f"{name} {np.shape(array)}" for name, array in instance.items())
    raise UncertifiedDualError(
        f"dual gap {solution.gap:.3g} {fault} after {solution.passes} passes and {solution.iterations} iterations, "
        f"with Z = {Z:g} and {sizes}; {saved(save_to, {**instance, 'Z': Z}, solution.lam)}"
    )
