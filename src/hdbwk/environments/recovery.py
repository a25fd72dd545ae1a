"""Section 8.1: one arm, always pulled."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from hdbwk.environments.contexts import Floats, PowerDecay
from hdbwk.environments.signals import SignalLaw


@dataclass(frozen=True)
class RecoveryStream:
    """The rows of one trial: contexts (T, d) and noisy rewards (T,)."""

    contexts: Floats
    rewards: Floats


@dataclass(frozen=True)
class RecoveryInstance:
    """
    Sparse regression r_t = <mu, x_t> + xi_t with Gaussian noise.

    Parameters
    ----------
    mu : ndarray of shape (d,)
        The sparse parameter.
    law : PowerDecay
        The law of the contexts.
    noise : float
        sigma, the standard deviation of xi_t, at least 0.
    """

    mu: Floats
    law: PowerDecay
    noise: float

    def __post_init__(self) -> None:
        if self.mu.shape != (self.law.dim,):
            raise ValueError(f"mu has shape {self.mu.shape}, the contexts have dim = {self.law.dim}")
        if not self.noise >= 0:
            raise ValueError(f"noise = {self.noise} must be at least 0")

    @classmethod
    def draw(
        cls,
        rng: np.random.Generator,
        dim: int,
        sparsity: int,
        noise: float = 0.5,
        correlation: float = 0.5,
        bound: float | None = None,
        signal: SignalLaw | None = None,
    ) -> Self:
        """Draw an instance with `sparsity` non-zero entries at uniform places."""
        mu = (signal or SignalLaw()).vector(dim, sparsity, rng)
        return cls(mu, PowerDecay(dim, correlation, bound), noise)

    def sample(self, horizon: int, rng: np.random.Generator) -> RecoveryStream:
        """Draw the rows of one trial; a longer trial from the same seed begins with the same rows."""
        for_contexts, for_noise = rng.spawn(2)
        contexts = self.law.draw(horizon, for_contexts)
        rewards = contexts @ self.mu + self.noise * for_noise.standard_normal(horizon)
        return RecoveryStream(contexts, rewards)
