"""A policy whose regret is known to be linear."""

from typing import Any, ClassVar

from hdbwk.core.validation import Floats
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class Uniform:
    """Each arm with probability 1/K, whatever happened."""

    knows_horizon: ClassVar[bool] = False
    explores: ClassVar[bool] = True

    class Params(PolicyParams):
        """There are none."""

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        self.Params(**params)
        self.n_arms, self.rng = info.n_arms, info.rng

    def act(self, x: Floats) -> int:
        return int(self.rng.integers(self.n_arms))

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """Learn nothing."""
