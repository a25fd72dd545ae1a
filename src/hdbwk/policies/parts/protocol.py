"""What a policy is, and what it is told before the first round."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from hdbwk.core.validation import Floats, finite_number, finite_vector, frozen, positive_int


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
    rho : array of shape (m,), optional
        Average capacities C / T, kept as a read-only copy; empty without knapsacks.
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
            object.__setattr__(self, name, positive_int(name, getattr(self, name)))
        if not isinstance(self.rng, np.random.Generator):
            raise ValueError(f"rng = {self.rng!r} must be a numpy Generator")
        if self.value is not None:
            object.__setattr__(self, "value", finite_number("value", self.value))
        rho = finite_vector("rho", self.rho, np.size(self.rho))
        if (rho <= 0).any():
            place = int(np.argmin(rho))
            raise ValueError(f"rho[{place}] = {rho[place]} must be positive")
        object.__setattr__(self, "rho", frozen(rho))


class Policy(Protocol):
    """
    Chooses arms, learns from what they gave.

    A class that is built as ``Class(info, **params)`` and has these two methods is a policy. Set
    `knows_horizon` to True if what it does depends on T: it is then run anew for every horizon of a sweep,
    instead of once for the longest.

    `make_policy` keeps the info as ``policy.info``, unless the class has an attribute of that name, and
    `simulate` refuses a stream that does not fit it. What a policy is handed in a round is its own copy.
    """

    knows_horizon: ClassVar[bool]

    def act(self, x: Floats) -> int:
        """Choose an arm in 0..K-1 for the context x, or -1 for the null arm."""
        ...

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """Learn what the arm that was pulled gave; -1 if it was the null arm, or the query was refused."""
        ...
