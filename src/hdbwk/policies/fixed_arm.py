"""One arm for all: what a clinic does without a model."""

from typing import Any, ClassVar

from pydantic import Field

from hdbwk.core.spec import Count
from hdbwk.core.validation import Floats
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class FixedArm:
    """The same arm in every round."""

    knows_horizon: ClassVar[bool] = False

    class Params(PolicyParams):
        """There is one."""

        made_for = "without"
        arm: Count = Field(0, description="the arm, from 0 on")

        def label(self, method: str) -> str:
            return f"always arm {self.arm}"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        self.arm = self.Params(**params).arm
        if self.arm >= info.n_arms:
            raise ValueError(f"arm = {self.arm} is not an arm: there are {info.n_arms}, from 0 on")

    def act(self, x: Floats) -> int:
        return self.arm

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """Learn nothing."""
