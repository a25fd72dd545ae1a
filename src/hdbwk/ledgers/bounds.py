"""The bounds of the theorems with their constants written out and C = 1, for Gaussian contexts.

Gaussian contexts are not bounded; D, R_max and B_max stand for what a trial of the largest size of a row reaches, so
that their logarithms do not add to the growth of a bound. The sparse eigenvalues of the covariance alpha^|i-j| are
bounded by those of all of it, (1 - alpha) / (1 + alpha) and its inverse.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Real = float | Array


@dataclass(frozen=True)
class Law:
    """
    What the bounds ask of an experiment, in the paper's letters; each may be an array over the sizes of a row.

    Attributes
    ----------
    d, s0, K, m : dimension, sparsity, arms, resources
    sigma, alpha : noise, correlation of neighbouring entries
    size : root mean square of the non-zero entries of mu
    ratio : V_UB / C_min
    """

    d: Real
    s0: Real
    K: Real = 1
    m: Real = 1
    sigma: Real = 0.5
    alpha: Real = 0.5
    size: Real = 0.76
    ratio: Real = 5.0

    @classmethod
    def of(cls, spec: Any) -> Self:
        """The law of an experiment, from its parameters."""
        low, high = spec["signal"]["low"], spec["signal"]["high"]
        plain = {
            "d": "dim",
            "s0": "sparsity",
            "K": "n_arms",
            "m": "n_resources",
            "sigma": "noise",
            "alpha": "correlation",
        }
        return cls(
            **{letter: spec[key] for letter, key in plain.items() if key in spec},
            size=np.sqrt((low**2 + low * high + high**2) / 3),
        )

    @property
    def phi_min(self) -> Real:
        """The smallest eigenvalue of the covariance."""
        return (1 - np.abs(self.alpha)) / (1 + np.abs(self.alpha))

    def D(self, T: Real) -> float:  # noqa: N802
        """The largest entry of T contexts."""
        return _reached(self.d, T)

    def R(self, T: Real) -> Real:  # noqa: N802
        """R_max: the largest reward of T rounds."""
        return self.size * np.sqrt(self.s0) * _reached(self.K, T)

    def B(self, T: Real) -> Real:  # noqa: N802
        """B_max: the largest consumption of T rounds, for entries of W uniform on [0, 1]."""
        return np.sqrt(self.s0 / 3) * _reached(self.K * self.m, T)

    def B_tilde(self, T: Real) -> Real:  # noqa: N802
        """(B_max + C_max / T)^2 + sigma^2 log m."""
        return (self.B(T) + 1) ** 2 + self.sigma**2 * np.log(np.maximum(self.m, 2))


def _reached(n: Real, T: Real) -> float:
    """The largest of n T standard normal numbers, about, for the largest n and T."""
    return float(np.sqrt(2 * np.log(2 * np.max(n) * np.max(T))))


def sparse_est(law: Law, t: Real, inverse_p: Real = 1.0) -> Real:
    """Theorem sparse-est, Corollary uniform-est and Proposition sparse-est-W; `inverse_p` is the mean of 1/p_j."""
    logarithm = np.log(law.d * law.K * law.m)
    return law.sigma**2 * law.D(t) ** 2 * law.s0 * logarithm / law.phi_min**2 * inverse_p / t


def inverse_mean_probability(t: Real, probability: float, decay: float) -> Real:
    """The mean of 1/p_j for p_j = probability j^(-decay), by the integral."""
    return t**decay / (probability * (1 + decay))


def bandit_poor(law: Law, T: Real) -> Real:
    """Theorem bandit-poor: R^(1/3) K^(1/3) sigma^(2/3) D^(4/3) s0^(2/3) T^(2/3) log(dK)^(1/3) / phi_min^(2/3)."""
    product = law.R(T) * law.K * (law.sigma * law.D(T) ** 2 * law.s0 / law.phi_min) ** 2 * np.log(law.d * law.K)
    return np.cbrt(product) * T ** (2 / 3)


def bandit_rich(law: Law, T: Real) -> Real:
    """Theorem bandit-rich: sqrt(kappa_1 log K) sigma D sqrt(s0 log(dK) T / (gamma zeta)), gamma zeta = phi_min / K."""
    diversity = law.phi_min / law.K
    factor = np.sqrt(np.log(law.K) / law.phi_min / diversity)
    return factor * law.sigma * law.D(T) * np.sqrt(law.s0 * np.log(law.d * law.K) * T / diversity)


def dual_term(law: Law, T: Real) -> Real:
    """Z sqrt(B T log m), the first term of Theorem Primaldual."""
    return (law.ratio + 1) * np.sqrt(law.B_tilde(T) * T * np.log(np.maximum(law.m, 2)))


def cbwk_general(law: Law, T: Real) -> Real:
    """Theorem BwK-regret-1 as printed."""
    bounds = law.R(T) + law.B(T) * (law.ratio + 1)
    errors = (law.sigma * law.D(T) ** 2 * law.s0 / law.phi_min) ** 2 * np.log(law.m * law.d * law.K)
    return dual_term(law, T) + (law.ratio + 1) * np.cbrt(bounds * law.K * errors) * T ** (2 / 3)


def cbwk_diverse(law: Law, T: Real) -> Real:
    """Theorem BwK-regret-2 with the factors that its proof needs (ERRATA.md), gamma zeta = phi_min / K."""
    errors = law.sigma * law.D(T) ** 2 * law.s0 * np.sqrt(T * np.log(law.m * law.d * law.K)) * law.K / law.phi_min
    return dual_term(law, T) + (law.ratio + 1) * errors


def cbwk_margin(law: Law, T: Real, margin: float = 1.0) -> Real:
    """Theorem sqrt-margin with M = `margin`."""
    root = np.sqrt(margin * law.K * law.R(T) * T * np.log(law.m * law.d * law.K * T))
    return (law.ratio + 1) * law.sigma * law.D(T) ** 2 * law.s0 / law.phi_min * root + dual_term(law, T)


def resolving(law: Law, T: Real) -> Real:
    """Theorem resolving-regret in O-notation: s0^2 m^2 log(mKdT) log T."""
    return law.s0**2 * law.m**2 * np.log(law.m * law.K * law.d * T) * np.log(T)


def log_dimension(law: Law, d: Real) -> Real:
    """log(mdK), as the regret of the knapsack theorems grows with d."""
    return np.log(law.m * law.K * d)
