"""Algorithm 3: the high-dimensional bandit by Online HT."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Positive, UnitInterval
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.estimators.registry import make_bank
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.learner import LearnerParams
from hdbwk.policies.parts.protocol import InstanceInfo
from hdbwk.policies.parts.schedules import Exploration, bandit_poor_scale


class OnlineHTBandit:
    """Epsilon-greedy on the estimates of all arms; greedy with epsilon = 0."""

    knows_horizon: ClassVar[bool] = False

    class Params(LearnerParams):
        """Those of the greedy policy of Figure 2."""

        made_for = "without"
        epsilon: UnitInterval | Literal["theory"] = Field(
            0.0,
            description="epsilon_0 of epsilon_t = epsilon_0 t^(-decay), capped at 1/K; 0 is greedy; "
            '`theory` is the constant of Theorem "bandit-poor"',
        )
        decay: UnitInterval = Field(1 / 3, description="the exponent")
        propensity: Literal["printed", "true"] = Field(
            "printed",
            description="p of the weight 1/p: `printed` in Algorithm 3 is 1 - (K - 1) epsilon_t for every arm; "
            "`true` is epsilon_t for an arm that is not the greedy one, as in Algorithm 2",
        )
        noise: Positive | None = Field(None, description="sigma, for `epsilon: theory`")
        bound: Positive | None = Field(None, description="D, for `epsilon: theory`")
        reward_bound: Positive | None = Field(None, description="R_max, for `epsilon: theory`")

        def faults(self) -> Iterator[str]:
            missing = [key for key in ("noise", "bound", "reward_bound") if getattr(self, key) is None]
            if self.epsilon == "theory" and missing:
                yield f"epsilon = 'theory' needs {', '.join(missing)}"
            if self.epsilon == "theory" and not isinstance(getattr(self.estimator, "sparsity", None), int):
                yield "epsilon = 'theory' needs an estimator with a sparsity that is a number"

        @property
        def family(self) -> str:  # type: ignore[override]
            return "greedy" if self.epsilon == 0 else "online_ht"

        def label(self, method: str) -> str:
            return ("greedy, " if self.epsilon == 0 else r"$\epsilon$-greedy, ") + self.assumed

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.K, self.rng = info.n_arms, info.rng
        self.arms = make_bank(p.estimator, info.n_arms, 1, info.dim)
        self.epsilon = Exploration(_scale(p, info), p.decay, info.n_arms)
        self.printed = p.propensity == "printed"
        self.t = 0

    def act(self, x: Floats) -> int:
        self.t += 1
        self.greedy = best_arm(self.arms.predict(x)[:, 0], null_arm=False)
        explores = self.rng.random() < self.K * self.epsilon(self.t)  # line 4: nu_t
        return int(self.rng.integers(self.K)) if explores else self.greedy  # line 5

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        self.arms.update(x, arm, np.array([reward]), self._weight(checked_arm(arm, self.K)))

    def _weight(self, arm: int) -> float:
        """Line 6: 1/p of the arm that was pulled; the null arm teaches nothing."""
        if arm == NULL_ARM:
            return 0.0
        epsilon = self.epsilon(self.t)
        return 1 / (1 - (self.K - 1) * epsilon if self.printed or arm == self.greedy else epsilon)


def _scale(p: Any, info: InstanceInfo) -> float:
    """epsilon_0."""
    if p.epsilon != "theory":
        return p.epsilon
    return bandit_poor_scale(p.noise, p.bound, p.estimator.sparsity, p.reward_bound, info.n_arms, info.dim)
