"""What a policy is, and what it is told before the first round."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NULL_ARM = -1


@dataclass(frozen=True)
class InstanceInfo:
    """
    What a policy knows of its task.

    Parameters
    ----------
    dim, n_arms, horizon : int
        d, K, T.
    rng : Generator
        The only source of the policy's own randomness.
    truth : object
        The instance itself, for controls such as the oracle; an honest policy does not look.
    rho : ndarray of shape (m,), optional
        Average capacities C / T; empty without knapsacks.
    value : float, optional
        V_UB / T, for policies that are given Z = V_UB / C_min.
    """

    dim: int
    n_arms: int
    horizon: int
    rng: np.random.Generator
    truth: Any = None
    rho: Floats = field(default_factory=lambda: np.zeros(0))
    value: float | None = None

    @property
    def n_resources(self) -> int:
        return self.rho.size

    def __post_init__(self) -> None:
        for name in ("dim", "n_arms", "horizon"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} = {getattr(self, name)} must be at least 1")


class Policy(Protocol):
    """
    Chooses arms, learns from what they gave.

    A class that is built as ``Class(info, **params)`` and has these two methods is a policy. Set
    `knows_horizon` to True if what it does depends on T: it is then run anew for every horizon of a sweep,
    instead of once for the longest.
    """

    knows_horizon: ClassVar[bool]

    def act(self, x: Floats) -> int:
        """Choose an arm in 0..K-1 for the context x, or -1 for the null arm."""
        ...

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """Learn what the arm that was pulled gave."""
        ...
