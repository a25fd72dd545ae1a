"""SA-Lasso of Oh, Iyengar and Zeevi (2021), "Sparsity-Agnostic Lasso Bandit", with one parameter for each arm."""

import math
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Positive
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm, finite_number, finite_vector
from hdbwk.policies.parts.arm_lasso import ArmLasso
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class SaLasso:
    """Greedy on a LASSO whose penalty needs no sparsity; t is the arm's number of rows."""

    knows_horizon: ClassVar[bool] = False

    class Params(PolicyParams):
        """lambda_0 = 2 sigma x_max in its theorem, about 1 in Figure 2."""

        made_for = "without"
        family = "lasso"
        penalty: Positive = Field(0.1, description="lambda_0 of lambda_0 sqrt((4 log t + 2 log d) / t)")

        def label(self, method: str) -> str:
            return "SA-Lasso"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.K, self.dim, self.penalty = info.n_arms, info.dim, p.penalty
        self.arms = [ArmLasso(info.dim) for _ in range(info.n_arms)]
        self.mu = np.zeros((info.n_arms, info.dim))

    def act(self, x: Floats) -> int:
        return best_arm(self.mu @ finite_vector("x", x, self.dim), null_arm=False)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        x, arm, reward = finite_vector("x", x, self.dim), checked_arm(arm, self.K), finite_number("reward", reward)
        if arm != NULL_ARM:
            rows = self.arms[arm]
            rows.add(x, reward)
            level = math.sqrt((4 * math.log(rows.n) + 2 * math.log(self.dim)) / rows.n)
            self.mu[arm] = rows.solve(self.penalty * level)  # lambda_t of Algorithm 1
