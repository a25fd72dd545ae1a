"""Two policies whose regret is known: the uniform one's is linear, the oracle's is zero."""

from typing import ClassVar

from hdbwk.core.validation import Floats, finite_vector
from hdbwk.policies.choice import best_arm
from hdbwk.policies.protocol import InstanceInfo


class Uniform:
    """Each arm with probability 1/K, whatever happened."""

    knows_horizon: ClassVar[bool] = False
    explores: ClassVar[bool] = True

    def __init__(self, info: InstanceInfo) -> None:
        self.n_arms, self.rng = info.n_arms, info.rng

    def act(self, x: Floats) -> int:
        return int(self.rng.integers(self.n_arms))

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """Learn nothing."""


class Oracle:
    """The best arm under the true parameters."""

    knows_horizon: ClassVar[bool] = False

    def __init__(self, info: InstanceInfo) -> None:
        self.mu = info.truth.mu

    def act(self, x: Floats) -> int:
        return best_arm(self.mu @ finite_vector("x", x, self.mu.shape[1]), null_arm=False)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """There is nothing left to learn."""
