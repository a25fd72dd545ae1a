"""linCBwK of Agrawal and Devanur (2016), with one confidence region for each arm: the baseline of Section 8.3."""

import math
from typing import Any, ClassVar

from pydantic import Field

from hdbwk.core.spec import NonNegative, Number
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm, finite_vector
from hdbwk.estimators.ridge import RidgeBank, RidgeParams
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.outcome import responses
from hdbwk.policies.parts.params import HedgeParams, RatioParams
from hdbwk.policies.parts.prices import Hedge, learning_rate
from hdbwk.policies.parts.protocol import InstanceInfo
from hdbwk.policies.parts.ratio import RatioZ


class LinCBwK:
    """
    Ridge regression with optimism: the largest reward and the smallest priced cost in the confidence regions.

    For arm a with M_a = I + sum x x' the regions are ellipsoids of radius R_t around the ridge estimates of mu_a and
    of each row of W_a, so both optima are in closed form: with n = |x| in the norm of M_a^-1, the reward gains R_t n
    and the cost at prices theta loses R_t n |theta|_1.
    """

    knows_horizon: ClassVar[bool] = True

    class Params(RatioParams, HedgeParams):
        """Those of Figure 3, with the radius of the paper of linCBwK."""

        family = "lincbwk"
        radius_scale: NonNegative = Field(
            1.0, description="factor on the radius of its paper, sqrt(d log((m + t m d) / confidence)) + sqrt(d)"
        )
        confidence: Number = Field(0.05, ge=1e-9, lt=1, description="probability with which the regions may fail")

        def label(self, method: str) -> str:
            return "linCBwK" if self.radius_scale == 1 else f"linCBwK, radius $\\times$ {self.radius_scale:g}"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.ratio = RatioZ(info, p.Z, p.slack)
        K, d, m = info.n_arms, info.dim, info.n_resources
        self.K, self.d, self.m, self.rng, self.explore = K, d, m, info.rng, p.explore
        self.radius_scale, self.confidence = p.radius_scale, p.confidence
        self.arms = RidgeBank(RidgeParams(), K, 1 + m, d)  # mu_a and the rows of W_a
        self.hedge = Hedge(info.rho, learning_rate(p.delta_scale, info.horizon, m, p.cost_bound))
        self.t = 0

    @property
    def prices(self) -> Floats:
        """lambda = Z theta."""
        return self.ratio.value * self.hedge.eta

    @property
    def radius(self) -> float:
        """R_t."""
        log = math.log((self.m + self.t * self.m * self.d) / self.confidence)
        return self.radius_scale * (math.sqrt(self.d * log) + math.sqrt(self.d))

    def act(self, x: Floats) -> int:
        x = finite_vector("x", x, self.d)
        self.t += 1
        self.explores = self.t <= self.explore
        if self.explores:
            return int(self.rng.integers(self.K))
        estimates, prices = self.arms.predict(x), self.prices
        score = estimates[:, 0] - estimates[:, 1:] @ prices + self.radius * self.arms.norms(x) * (1 + prices.sum())
        return best_arm(score, null_arm=True)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        x, arm = finite_vector("x", x, self.d), checked_arm(arm, self.K)
        targets = responses(reward, consumption, self.m)
        self.hedge.update(targets[1:])
        self.arms.update(x, arm, targets, weight=0.0 if arm == NULL_ARM else 1.0)
        if self.t <= self.explore:
            self.ratio.see(x)
            if self.t == self.explore:
                self.ratio.settle(self.arms.coef)
