"""LASSO explore-then-commit, the baseline of Section 8.2."""

import math
from typing import ClassVar, Literal

import numpy as np

from hdbwk.core.validation import NULL_ARM, Floats, checked_arm, finite_number, finite_vector
from hdbwk.policies.choice import best_arm
from hdbwk.policies.protocol import InstanceInfo


class LassoETC:
    """
    Pull the arms in turn for t1 = c T^(2/3) rounds, fit one LASSO for each, then be greedy for ever.

    Parameters
    ----------
    info : InstanceInfo
    explore : float
        c, 0.3 or 0.5 in the paper.
    unit : "total" or "per_arm", default="total"
        Whether t1 counts all rounds of the exploration, or those of each arm.
    scale : float
        The penalty of an arm with n rows is scale * sqrt(log(d n) / n), the law of Section 8.1.
    tol, max_iter
        When the solver stops, see `hdbwk.estimators.SequentialLasso`.
    """

    knows_horizon: ClassVar[bool] = True

    def __init__(
        self,
        info: InstanceInfo,
        explore: float = 0.5,
        unit: Literal["total", "per_arm"] = "total",
        scale: float = 0.5,
        tol: float = 1e-6,
        max_iter: int = 10_000,
    ) -> None:
        from hdbwk.estimators.lasso import SequentialLasso  # not above: scikit-learn takes long to import

        if not explore > 0:
            raise ValueError(f"explore = {explore} must be positive")
        if unit not in ("total", "per_arm"):
            raise ValueError(f'unit = {unit!r} must be "total" or "per_arm"')
        self.K, self.dim = info.n_arms, info.dim
        rounds = math.ceil(explore * info.horizon ** (2 / 3))
        self.exploration = max(rounds * (self.K if unit == "per_arm" else 1), self.K)
        self.models = [SequentialLasso(scale, tol, max_iter) for _ in range(self.K)]
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
