"""Greedy ridge regression: what everybody has."""

from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Positive
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.estimators.ridge import RidgeBank, RidgeParams
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class GreedyRidge:
    """The arm with the largest estimated reward, by one ridge regression for each arm."""

    knows_horizon: ClassVar[bool] = False

    class Params(PolicyParams):
        """There is one."""

        made_for = "without"
        family = "lincbwk"
        penalty: Positive = Field(1.0, description="of the ridge regressions")

        def label(self, method: str) -> str:
            return "greedy ridge"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.K, self.rng = info.n_arms, info.rng
        self.arms = RidgeBank(RidgeParams(penalty=p.penalty), info.n_arms, 1, info.dim)

    def act(self, x: Floats) -> int:
        return best_arm(self.score(x), null_arm=False)

    def score(self, x: Floats) -> Floats:
        """Estimated rewards (K,)."""
        return self.arms.predict(x)[:, 0]

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        arm = checked_arm(arm, self.K)
        self.arms.update(x, arm, np.array([reward]), float(arm != NULL_ARM))
