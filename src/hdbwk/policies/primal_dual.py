"""Algorithm 2: the primal-dual CBwK algorithm, with Hedge prices on the resources."""

from typing import Any, ClassVar

from pydantic import Field

from hdbwk.core.spec import Count, Flag, UnitInterval
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.learner import KnapsackLearnerParams, learner
from hdbwk.policies.parts.outcome import responses
from hdbwk.policies.parts.params import HedgeParams, RatioParams
from hdbwk.policies.parts.prices import Hedge, learning_rate
from hdbwk.policies.parts.protocol import InstanceInfo
from hdbwk.policies.parts.ratio import RatioZ
from hdbwk.policies.parts.schedules import Exploration


class PrimalDual:
    """
    Epsilon-greedy Online HT on rewards and consumptions, less the prices of the resources.

    Line 12, the end of the run, is the loop's (`hdbwk.simulation`).
    """

    knows_horizon: ClassVar[bool] = True

    class Params(KnapsackLearnerParams, RatioParams, HedgeParams):
        """Those of Figure 3."""

        explore: Count = Field(50, description="uniform rounds at the start, in which epsilon_t = 1/K: T0")
        epsilon: UnitInterval = Field(
            0.0, description="epsilon of epsilon_t = epsilon t^(-decay), capped at 1/K; 0 under diverse covariates"
        )
        decay: UnitInterval = Field(
            1 / 3, description="the exponent: 1/3 in the general case, 1/2 under the margin condition"
        )
        null_arm: Flag = Field(True, description="whether the greedy choice may be to do nothing")

        @property
        def family(self) -> str:  # type: ignore[override]
            return "greedy" if self.epsilon == 0 else "online_ht"

        def label(self, method: str) -> str:
            return ("greedy, " if self.epsilon == 0 else r"$\epsilon$-greedy, ") + self.assumed

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.ratio = RatioZ(info, p.Z, p.slack)
        self.K, self.rng, self.explore, self.null_arm = info.n_arms, info.rng, p.explore, p.null_arm
        self.arms = learner(p, info)
        self.hedge = Hedge(info.rho, learning_rate(p.delta_scale, info.horizon, info.n_resources, p.cost_bound))
        self.schedule = Exploration(p.epsilon, p.decay, info.n_arms)
        self.t = 0

    @property
    def prices(self) -> Floats:
        """lambda = Z eta."""
        return self.ratio.value * self.hedge.eta

    def epsilon(self) -> float:
        """epsilon_t of this round; the first rounds, in which line 2 pulls each arm once, are uniform."""
        return 1 / self.K if self.t <= self.explore else self.schedule(self.t)

    def act(self, x: Floats) -> int:
        self.t += 1
        estimates = self.arms.predict(x)
        score = estimates[:, 0] - estimates[:, 1:] @ self.prices  # line 5: less Z EstCost
        self.greedy = best_arm(score, self.null_arm)  # line 8
        self.explores = self.rng.random() < self.K * self.epsilon()  # line 6: nu_t
        return int(self.rng.integers(self.K)) if self.explores else self.greedy  # lines 7 to 11

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        arm, targets = checked_arm(arm, self.K), responses(reward, consumption, self.hedge.rho.size)
        if not self.explores:
            self.hedge.update(targets[1:])  # line 13: greedy rounds only
        self.arms.update(x, arm, targets, self._weight(arm))
        if self.t <= self.explore:
            self.ratio.see(x)
            if self.t == self.explore:
                self.ratio.settle(self.arms.coef)

    def _weight(self, arm: int) -> float:
        """Line 14: 1/p of the arm that was pulled; the null arm teaches nothing."""
        if arm == NULL_ARM:
            return 0.0
        epsilon = self.epsilon()
        return 1 / (1 - (self.K - 1) * epsilon) if arm == self.greedy else 1 / epsilon
