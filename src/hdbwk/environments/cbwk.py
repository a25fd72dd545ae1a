"""Section 8.3: K sparse linear arms that consume m resources."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.validation import frozen
from hdbwk.environments.contexts import Floats, PowerDecay
from hdbwk.environments.noise import checked_noise, standard_noise
from hdbwk.environments.nonnegative import UniformContexts
from hdbwk.environments.signals import SignalLaw


@dataclass(frozen=True)
class CBwKStream:
    """The rounds of one trial, with what every arm would have given and consumed."""

    contexts: Floats  # (T, d)
    means: Floats  # (T, K)                 <mu_a, x_t>
    rewards: Floats  # (T, K)               with noise
    consumption_means: Floats  # (T, K, m)  W_a x_t
    consumptions: Floats  # (T, K, m)       with noise
    rho: Floats  # (m,)                     capacity for each round
    value: float | None = None  # V_UB / T, for the regret

    def __len__(self) -> int:
        return len(self.contexts)

    def __getitem__(self, rounds: slice) -> Self:
        return replace(
            self,
            contexts=self.contexts[rounds],
            means=self.means[rounds],
            rewards=self.rewards[rounds],
            consumption_means=self.consumption_means[rounds],
            consumptions=self.consumptions[rounds],
        )

    @property
    def n_arms(self) -> int:
        """K."""
        return self.means.shape[1]

    @property
    def capacity(self) -> Floats:
        """C = rho T."""
        return self.rho * len(self)

    def regret(self, arms: NDArray[np.int64]) -> Floats:
        """t V_UB / T minus the expected reward so far, the null arm (-1) earning nothing; NaN if V_UB is unknown."""
        earned = np.where(arms < 0, 0.0, self.means[np.arange(len(arms)), arms])
        return np.cumsum((np.nan if self.value is None else self.value) - earned)


@dataclass(frozen=True)
class CBwKInstance:
    """
    Linear arms r_t(a) = <mu_a, x_t> + xi and b_t(a) = W_a x_t + omega.

    Parameters
    ----------
    mu : ndarray of shape (K, d)
        One sparse reward parameter for each arm.
    W : ndarray of shape (K, m, d)
        Consumption parameters, sparse in each row.
    rho : ndarray of shape (m,)
        Average capacities C / T, positive. All three are kept as read-only copies.
    law : PowerDecay or UniformContexts
        The law of the contexts. With `UniformContexts` consumption is cut at zero, as the model asks.
    noise : float
        sigma of xi and of the entries of omega, at least 0.
    degrees : float, optional
        Degrees of freedom of Student's t, for noise with heavy tails; None is Gaussian noise.
    """

    mu: Floats
    W: Floats
    rho: Floats
    law: PowerDecay | UniformContexts
    noise: float
    degrees: float | None = None

    def __post_init__(self) -> None:
        for name in ("mu", "W", "rho"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        K, m, d = self.W.shape if self.W.ndim == 3 else (0, 0, 0)
        if self.mu.shape != (K, d) or self.rho.shape != (m,) or d != self.law.dim:
            raise ValueError(
                f"shapes do not fit: mu {self.mu.shape}, W {self.W.shape}, rho {self.rho.shape}, dim = {self.law.dim}"
            )
        if not (self.rho > 0).all():
            raise ValueError(f"rho = {self.rho.min()} must be positive")
        checked_noise(self.noise, self.degrees)

    @classmethod
    def draw(
        cls,
        rng: np.random.Generator,
        dim: int,
        sparsity: int,
        n_arms: int,
        n_resources: int,
        noise: float = 0.5,
        correlation: float = 0.5,
        bound: float | None = None,
        signal: SignalLaw | None = None,
        consumption: SignalLaw | None = None,
        capacity: tuple[float, float] = (0.2, 0.8),
        nonnegative: bool = False,
        degrees: float | None = None,
    ) -> Self:
        """Draw an instance: every row of W_a has the support of mu_a, capacities are uniform on `capacity`."""
        if n_arms < 1 or n_resources < 1:
            raise ValueError(f"n_arms = {n_arms} and n_resources = {n_resources} must be at least 1")
        if not 0 < capacity[0] <= capacity[1]:
            raise ValueError(f"capacity = {capacity} must satisfy 0 < low <= high")
        signal = signal or SignalLaw(0.5, 1.0, "positive")
        consumption = consumption or SignalLaw(0.0, 1.0, "positive")
        mu = np.array([signal.vector(dim, sparsity, rng) for _ in range(n_arms)])
        W = np.zeros((n_arms, n_resources, dim))
        for a in range(n_arms):
            support = np.flatnonzero(mu[a])
            W[a][:, support] = consumption.entries((n_resources, support.size), rng)
        contexts = PowerDecay(dim, correlation, bound)
        law = UniformContexts(contexts) if nonnegative else contexts
        return cls(mu, W, rng.uniform(*capacity, n_resources), law, noise, degrees)

    def contexts(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw n contexts."""
        return self.law.draw(n, rng)

    @property
    def context_mean(self) -> Floats | None:
        """E x where it is known in closed form."""
        return np.zeros(self.law.dim) if self._gaussian else None

    @property
    def context_covariance(self) -> Floats | None:
        """Cov x where it is known in closed form."""
        return self.law.covariance if isinstance(self.law, PowerDecay) and self._gaussian else None

    @property
    def _gaussian(self) -> bool:
        return isinstance(self.law, PowerDecay) and self.law.bound is None

    def sample(self, horizon: int, rng: np.random.Generator, value: float | None = None) -> CBwKStream:
        """Draw the rounds of one trial; a longer trial from the same seed begins with the same rounds."""
        if horizon < 1:
            raise ValueError(f"horizon = {horizon} must be at least 1")
        for_contexts, for_rewards, for_consumption = rng.spawn(3)
        contexts = self.law.draw(horizon, for_contexts)
        means = contexts @ self.mu.T
        rewards = means + self.noise * standard_noise(for_rewards, means.shape, self.degrees)
        expected = np.einsum("td,kmd->tkm", contexts, self.W, optimize=True)
        consumptions = expected + self.noise * standard_noise(for_consumption, expected.shape, self.degrees)
        if isinstance(self.law, UniformContexts):
            consumptions = np.maximum(consumptions, 0.0)
        return CBwKStream(contexts, means, rewards, expected, consumptions, self.rho, value)
