"""LASSO explore-then-commit, the baseline of Section 8.2."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Number, Positive, Size
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm, finite_number, finite_vector
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class LassoETC:
    """Pull the arms in turn for t1 = c T^(2/3) rounds, fit one LASSO for each, then be greedy for ever."""

    knows_horizon: ClassVar[bool] = True

    class Params(PolicyParams):
        """Those of Figure 2."""

        made_for = "without"
        family = "lasso"
        renamed: ClassVar = {"explore": "exploration_scale"}
        exploration_scale: Positive = Field(0.5, description="c of t1 = c T^(2/3), 0.3 or 0.5 in the paper")
        unit: Literal["total", "per_arm"] = Field(
            "total", description="whether t1 counts the rounds of the exploration in `total`, or `per_arm`"
        )
        scale: Positive = Field(0.5, description="of the penalty scale sqrt(log(d n) / n) of an arm with n rows")
        tol: Number = Field(1e-6, ge=1e-12, le=1, description="the solver stops at a duality gap of tol \\|y\\|^2 / n")
        max_iter: Size = Field(10_000, description="or after so many sweeps, which is counted and shown")

        def label(self, method: str) -> str:
            unit = "an arm" if self.unit == "per_arm" else "in all"
            return f"LASSO, ${self.exploration_scale:g}\\,T^{{2/3}}$ {unit}"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        from hdbwk.estimators.lasso import SequentialLasso  # not above: scikit-learn takes long to import

        p = self.Params(**params)
        self.K, self.dim = info.n_arms, info.dim
        rounds = math.ceil(p.exploration_scale * info.horizon ** (2 / 3))
        self.exploration = max(rounds * (self.K if p.unit == "per_arm" else 1), self.K)
        self.models = [SequentialLasso(p.scale, p.tol, p.max_iter) for _ in range(self.K)]
        self.rows: list[list[Floats]] = [[] for _ in range(self.K)]
        self.rewards: list[list[float]] = [[] for _ in range(self.K)]
        self.mu = np.zeros((self.K, self.dim))
        self.unconverged = 0
        self.t = 0

    def act(self, x: Floats) -> int:
        x = finite_vector("x", x, self.dim)
        self.t += 1
        if self.t <= self.exploration:
            return (self.t - 1) % self.K
        return best_arm(self.mu @ x, null_arm=False)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        x, arm, reward = finite_vector("x", x, self.dim), checked_arm(arm, self.K), finite_number("reward", reward)
        if self.t > self.exploration:
            return
        if arm != NULL_ARM:
            self.rows[arm].append(x)
            self.rewards[arm].append(reward)
        if self.t == self.exploration:
            self._commit()

    def _commit(self) -> None:
        for arm, model in enumerate(self.models):
            if not self.rows[arm]:
                continue  # every query was refused
            self.mu[arm] = model.partial_fit(np.array(self.rows[arm]), np.array(self.rewards[arm])).coef_
            self.unconverged += model.unconverged_
