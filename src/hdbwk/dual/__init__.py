"""The fluid dual: certified solvers, the benchmarks V_UB and V_off, and the estimate of Z."""

from hdbwk.dual.explicit import offline_value, solve_dual
from hdbwk.dual.fluid import FluidValue, fluid_value
from hdbwk.dual.ratio import RatioEstimate, estimate_Z
from hdbwk.dual.resolving import ResolvingDual
from hdbwk.dual.solution import DualSolution, UncertifiedDualError

__all__ = [
    "DualSolution",
    "FluidValue",
    "RatioEstimate",
    "ResolvingDual",
    "UncertifiedDualError",
    "estimate_Z",
    "fluid_value",
    "offline_value",
    "solve_dual",
]
