"""A policy whose regret is zero without knapsacks."""

from typing import Any, ClassVar

from hdbwk.core.validation import Floats, finite_vector
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class Oracle:
    """The best arm under the true parameters."""

    knows_horizon: ClassVar[bool] = False

    class Params(PolicyParams):
        """There are none."""

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        self.Params(**params)
        self.mu = info.truth.mu

    def act(self, x: Floats) -> int:
        return best_arm(self.mu @ finite_vector("x", x, self.mu.shape[1]), null_arm=False)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """There is nothing left to learn."""
