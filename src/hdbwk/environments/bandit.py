"""Section 8.2: K sparse linear arms, no knapsacks."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.validation import frozen
from hdbwk.environments.contexts import Floats, PowerDecay
from hdbwk.environments.noise import checked_noise, standard_noise
from hdbwk.environments.signals import SignalLaw
from hdbwk.environments.two_groups import TwoGroups


@dataclass(frozen=True)
class BanditStream:
    """The rounds of one trial, with what every arm would have given, so that all methods meet the same luck."""

    contexts: Floats  # (T, d)
    means: Floats  # (T, K)    <mu_a, x_t>
    rewards: Floats  # (T, K)  with noise

    def __len__(self) -> int:
        return len(self.contexts)

    def __getitem__(self, rounds: slice) -> Self:
        return type(self)(self.contexts[rounds], self.means[rounds], self.rewards[rounds])

    @property
    def n_arms(self) -> int:
        """K."""
        return self.means.shape[1]

    def regret(self, arms: NDArray[np.int64]) -> Floats:
        """Cumulative pseudo-regret of a sequence of arms, the null arm (-1) earning nothing."""
        best = self.means.max(axis=1)
        earned = np.where(arms < 0, 0.0, self.means[np.arange(len(arms)), arms])
        return np.cumsum(best - earned)


@dataclass(frozen=True)
class BanditInstance:
    """
    Linear arms r_t(a) = <mu_a, x_t> + xi_{a,t}.

    Parameters
    ----------
    mu : ndarray of shape (K, d)
        One sparse parameter for each arm; kept as a read-only copy.
    law : PowerDecay or TwoGroups
        The law of the contexts.
    noise : float
        sigma, the standard deviation of the noise, at least 0.
    degrees : float, optional
        Degrees of freedom of Student's t, for noise with heavy tails; None is Gaussian noise.
    """

    mu: Floats
    law: PowerDecay | TwoGroups
    noise: float
    degrees: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", frozen(self.mu))
        if self.mu.ndim != 2 or self.mu.shape[0] < 1 or self.mu.shape[1] != self.law.dim:
            raise ValueError(f"mu has shape {self.mu.shape}, expected (K, {self.law.dim}) with K of at least 1")
        checked_noise(self.noise, self.degrees)

    @property
    def n_arms(self) -> int:
        """K."""
        return len(self.mu)

    @classmethod
    def draw(
        cls,
        rng: np.random.Generator,
        dim: int,
        sparsity: int,
        n_arms: int,
        noise: float = 0.5,
        correlation: float = 0.5,
        bound: float | None = None,
        signal: SignalLaw | None = None,
        degrees: float | None = None,
    ) -> Self:
        """Draw an instance; each arm has a support of its own."""
        if n_arms < 1:
            raise ValueError(f"n_arms = {n_arms} must be at least 1")
        signal = signal or SignalLaw()
        mu = np.array([signal.vector(dim, sparsity, rng) for _ in range(n_arms)])
        return cls(mu, PowerDecay(dim, correlation, bound), noise, degrees)

    def sample(self, horizon: int, rng: np.random.Generator) -> BanditStream:
        """Draw the rounds of one trial; a longer trial from the same seed begins with the same rounds."""
        if horizon < 1:
            raise ValueError(f"horizon = {horizon} must be at least 1")
        for_contexts, for_noise = rng.spawn(2)
        contexts = self.law.draw(horizon, for_contexts)
        means = contexts @ self.mu.T
        noise = standard_noise(for_noise, means.shape, self.degrees)
        return BanditStream(contexts, means, means + self.noise * noise)
