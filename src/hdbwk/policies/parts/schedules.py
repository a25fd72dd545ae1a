"""The exploration probabilities epsilon_t of Algorithms 2 and 3."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Exploration:
    """
    t -> epsilon_t = min(scale t^(-decay), 1/K).

    Parameters
    ----------
    scale : float
        epsilon_0; 0 is the greedy policy.
    decay : float
        The exponent, 1/3 in the theorems of the general case; 0 keeps epsilon constant.
    n_arms : int
        K.
    """

    scale: float
    decay: float
    n_arms: int

    def __call__(self, t: int) -> float:
        return min(self.scale * t**-self.decay, 1 / self.n_arms)


def bandit_poor_scale(noise: float, bound: float, sparsity: int, reward_bound: float, n_arms: int, dim: int) -> float:
    """epsilon_0 of Theorem "bandit-poor": sigma^(2/3) D^(4/3) s0^(2/3) log(dK)^(1/3) / (R_max K)^(2/3)."""
    numerator = noise ** (2 / 3) * bound ** (4 / 3) * sparsity ** (2 / 3) * math.log(dim * n_arms) ** (1 / 3)
    return numerator / (reward_bound * n_arms) ** (2 / 3)
