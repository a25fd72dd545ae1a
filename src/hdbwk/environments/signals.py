"""The law of the sparse parameters, which the paper leaves open."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SignalLaw:
    """Non-zero entries of size U[low, high], at most 1 as Section 3 demands, with random or positive signs."""

    low: float = 0.5
    high: float = 1.0
    signs: Literal["random", "positive"] = "random"

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high:
            raise ValueError(f"signal.low = {self.low} and signal.high = {self.high} must satisfy 0 <= low <= high")
        if self.signs not in ("random", "positive"):
            raise ValueError(f'signal.signs = {self.signs!r} must be "random" or "positive"')

    def entries(self, shape: int | tuple[int, ...], rng: np.random.Generator) -> Floats:
        """Draw an array of non-zero entries."""
        sizes = rng.uniform(self.low, self.high, shape)
        return sizes if self.signs == "positive" else sizes * rng.choice([-1.0, 1.0], shape)

    def vector(self, dim: int, sparsity: int, rng: np.random.Generator) -> Floats:
        """Draw a vector with `sparsity` non-zero entries at uniform places."""
        if not 1 <= sparsity <= dim:
            raise ValueError(f"sparsity = {sparsity} must lie in 1..dim = {dim}")
        mu = np.zeros(dim)
        mu[rng.choice(dim, sparsity, replace=False)] = self.entries(sparsity, rng)
        return mu
