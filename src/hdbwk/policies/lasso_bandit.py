"""The Lasso Bandit of Bastani and Bayati (2020), "Online Decision Making with High-Dimensional Covariates"."""

import math
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Positive, Size
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm, finite_number, finite_vector
from hdbwk.policies.parts.arm_lasso import ArmLasso
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class LassoBandit:
    """Forced samples of each arm say which arms may be best; the LASSO on all samples chooses among these."""

    knows_horizon: ClassVar[bool] = False

    class Params(PolicyParams):
        """Those of its authors' experiments."""

        made_for = "without"
        family = "lasso"
        forced: Size = Field(1, description="q, forced samples of an arm in each of the rounds of forced sampling")
        margin: Positive = Field(5.0, description="h: arms within h / 2 of the best one by forced samples may be best")
        forced_penalty: Positive = Field(0.05, description="lambda_1 of the LASSO on the forced samples")
        penalty: Positive = Field(0.05, description="lambda_{2,0} of lambda_{2,0} sqrt((log t + log(K d)) / t)")

        def label(self, method: str) -> str:
            return "Lasso Bandit"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        self.p = self.Params(**params)
        self.K, self.dim = info.n_arms, info.dim
        self.of_forced = [ArmLasso(info.dim) for _ in range(info.n_arms)]
        self.of_all = [ArmLasso(info.dim) for _ in range(info.n_arms)]
        self.forced_mu = np.zeros((info.n_arms, info.dim))
        self.forced_arm: int | None = None
        self.t = 0

    def act(self, x: Floats) -> int:
        x = finite_vector("x", x, self.dim)
        self.t += 1
        self.forced_arm = self._forced()
        if self.forced_arm is not None:
            return self.forced_arm
        score = self.forced_mu @ x
        near = np.flatnonzero(score >= score.max() - self.p.margin / 2)  # the set K-hat
        penalty = self.p.penalty * math.sqrt((math.log(self.t) + math.log(self.K * self.dim)) / self.t)  # lambda_{2,t}
        scores = np.array([self.of_all[a].solve(penalty / 2) @ x for a in near])  # its loss is |y - X b|^2 / n
        return int(near[best_arm(scores, null_arm=False)])

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        x, arm, reward = finite_vector("x", x, self.dim), checked_arm(arm, self.K), finite_number("reward", reward)
        if arm == NULL_ARM:
            return
        self.of_all[arm].add(x, reward)
        if self.forced_arm is not None:
            self.of_forced[arm].add(x, reward)
            self.forced_mu[arm] = self.of_forced[arm].solve(self.p.forced_penalty / 2)

    def _forced(self) -> int | None:
        """The arm of the set T_i of forced samples that t is in: t = (2^n - 1) K q + j for j = 1, ..., K q."""
        length = self.K * self.p.forced
        start = (2 ** int(math.log2((self.t - 1) // length + 1)) - 1) * length
        place = self.t - 1 - start
        return place // self.p.forced if place < length else None
