"""The law of the contexts: Gaussian with covariance alpha^|i-j|, bounded on request."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.compiled import kernel

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PowerDecay:
    """
    Contexts N(0, Sigma) with Sigma_ij = alpha^|i-j| (Section 8.1), drawn in O(d) by the AR(1) recursion.

    Parameters
    ----------
    dim : int
        d, at least 1.
    correlation : float
        alpha, inside (-1, 1).
    bound : float or None
        D of Assumption 1.1: entries are clipped to [-D, D]. None leaves them Gaussian, so unbounded.
    """

    dim: int
    correlation: float = 0.5
    bound: float | None = None

    def __post_init__(self) -> None:
        if self.dim < 1:
            raise ValueError(f"dim = {self.dim} must be at least 1")
        if not -1 < self.correlation < 1:
            raise ValueError(f"correlation = {self.correlation} must lie inside (-1, 1)")
        if self.bound is not None and not self.bound > 0:
            raise ValueError(f"bound = {self.bound} must be positive, or None")

    @property
    def covariance(self) -> Floats:
        """Sigma, before any clipping."""
        places = np.arange(self.dim)
        return self.correlation ** np.abs(np.subtract.outer(places, places)).astype(float)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n independent contexts as the rows of an (n, d) array."""
        X = rng.standard_normal((n, self.dim))
        _autoregress(X, self.correlation)
        return X if self.bound is None else np.clip(X, -self.bound, self.bound)


@kernel
def _autoregress(X, alpha):
    """x_1 = z_1, x_j = alpha x_{j-1} + sqrt(1 - alpha^2) z_j along each row, in place."""
    scale = np.sqrt(1 - alpha * alpha)
    for row in X:
        for j in range(1, row.size):
            row[j] = alpha * row[j - 1] + scale * row[j]
