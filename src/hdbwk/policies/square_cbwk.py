"""SquareCBwK of Han et al. (2023), "Optimal Contextual Bandits with Knapsacks under Realizability"."""

import math
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Flag, Positive
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.estimators.registry import make_bank
from hdbwk.estimators.ridge import RidgeParams
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.learner import Estimator
from hdbwk.policies.parts.outcome import responses
from hdbwk.policies.parts.params import RatioParams
from hdbwk.policies.parts.protocol import InstanceInfo
from hdbwk.policies.parts.ratio import RatioZ


class SquareCBwK:
    """Inverse gap weighting of estimated rewards less priced consumptions; prices by exponentiated gradient."""

    knows_horizon: ClassVar[bool] = True

    class Params(RatioParams):
        """Those of its authors' simulation: ridge regressions, gamma = 2 sqrt(K T / (p log T))."""

        family = "lincbwk"
        estimator: Estimator = Field(RidgeParams(), description="the regression oracle")
        gamma_scale: Positive = Field(2.0, description="c of gamma = c sqrt(K T / (p log T)), p the oracle's dimension")
        rate_scale: Positive = Field(2.0, description="c of the step c log(m) / sqrt(T) of the prices")
        null_arm: Flag = Field(True, description="whether the choice may be to do nothing")

        def label(self, method: str) -> str:
            return "SquareCBwK"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.ratio = RatioZ(info, p.Z, p.slack)
        self.K, self.rng, self.rho, self.explore = info.n_arms, info.rng, info.rho, p.explore
        self.arms = make_bank(p.estimator, info.n_arms, 1 + info.n_resources, info.dim)
        self.gamma = p.gamma_scale * math.sqrt(
            info.n_arms * info.horizon / (_dimension(p.estimator, info.dim) * math.log(max(info.horizon, 2)))
        )
        self.rate = p.rate_scale * math.log(max(info.n_resources, 2)) / math.sqrt(info.horizon)
        self.simplex = np.full(info.n_resources + 1, 1 / (info.n_resources + 1))  # the last coordinate is slack
        self.null_arm = p.null_arm
        self.t = 0

    @property
    def prices(self) -> Floats:
        """Z times the coordinates of the resources."""
        return self.ratio.value * self.simplex[:-1]

    def act(self, x: Floats) -> int:
        self.t += 1
        estimates = self.arms.predict(x)
        score = estimates[:, 0] + (self.rho - estimates[:, 1:]) @ self.prices
        if self.t <= self.explore:
            return int(self.rng.integers(self.K))
        if self.null_arm:
            score = np.append(score, self.rho @ self.prices)
        best = best_arm(score, null_arm=False)
        chance = 1 / (score.size + self.gamma * (score[best] - score))
        chance[best] += 1 - chance.sum()
        arm = int(self.rng.choice(score.size, p=chance))
        return arm if arm < self.K else NULL_ARM

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        arm, targets = checked_arm(arm, self.K), responses(reward, consumption, self.rho.size)
        self.arms.update(x, arm, targets, float(arm != NULL_ARM))
        excess = np.append(targets[1:] - self.rho, 0.0)
        weight = np.log(self.simplex) + self.rate * excess
        weight = np.exp(weight - weight.max())
        self.simplex = np.maximum(weight / weight.sum(), 1e-300)
        if self.t <= self.explore:
            self.ratio.see(x)
            if self.t == self.explore:
                self.ratio.settle(self.arms.coef)


def _dimension(estimator: Any, dim: int) -> float:
    """p: the dimension d, or s0 log d of a sparse oracle."""
    sparsity = getattr(estimator, "sparsity", None)
    return dim if sparsity is None else sparsity * math.log(max(dim, 2))
