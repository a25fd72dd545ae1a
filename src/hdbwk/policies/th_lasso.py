"""TH-Lasso of Ariu, Abe and Proutiere (2022), "Thresholded Lasso Bandit", with one parameter for each arm."""

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


class ThLasso:
    """Greedy on least squares, on the support of a LASSO that was thresholded twice; t is the arm's number of rows."""

    knows_horizon: ClassVar[bool] = False

    class Params(PolicyParams):
        """Those of its authors' experiments."""

        made_for = "without"
        family = "lasso"
        penalty: Positive = Field(0.02, description="lambda_0 of lambda_0 sqrt(2 log t log d / t)")

        def label(self, method: str) -> str:
            return "TH-Lasso"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.K, self.dim, self.rng, self.penalty = info.n_arms, info.dim, info.rng, p.penalty
        self.arms = [ArmLasso(info.dim) for _ in range(info.n_arms)]
        self.mu = np.zeros((info.n_arms, info.dim))

    def act(self, x: Floats) -> int:
        x = finite_vector("x", x, self.dim)
        unknown = np.flatnonzero(~self.mu.any(axis=1))  # arms with an empty support: one of them at random
        return int(self.rng.choice(unknown)) if unknown.size else best_arm(self.mu @ x, null_arm=False)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        x, arm, reward = finite_vector("x", x, self.dim), checked_arm(arm, self.K), finite_number("reward", reward)
        if arm != NULL_ARM:
            self.arms[arm].add(x, reward)
            self.mu[arm] = self._estimate(self.arms[arm])

    def _estimate(self, arm: ArmLasso) -> Floats:
        """Zeros for one row, whose penalty is 0."""
        if arm.n == 1:
            return np.zeros(self.dim)
        penalty = self.penalty * math.sqrt(2 * math.log(arm.n) * math.log(self.dim) / arm.n)  # lambda_t
        size = np.abs(arm.solve(penalty))
        first = size > 4 * penalty  # S_0
        second = size > 4 * penalty * math.sqrt(first.sum())  # S_1
        return arm.least_squares(np.flatnonzero(first & second))
