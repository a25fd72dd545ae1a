"""Algorithm 4: the primal-dual CBwK algorithm by resolving."""

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Flag, Number, Positive, Size
from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.dual.resolving import ResolvingDual
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.learner import KnapsackLearnerParams, learner
from hdbwk.policies.parts.outcome import responses
from hdbwk.policies.parts.params import RatioParams
from hdbwk.policies.parts.protocol import InstanceInfo
from hdbwk.policies.parts.ratio import RatioZ


class Resolving:
    """
    Greedy Online HT at the prices that are optimal for the estimates and the remaining capacity.

    `prices` are lambda_t, `explore` is T0. Line 10, the end of the run, is the loop's (`hdbwk.simulation`).
    """

    knows_horizon: ClassVar[bool] = True

    class Params(KnapsackLearnerParams, RatioParams):
        """Those of Figure 3."""

        renamed: ClassVar = {**KnapsackLearnerParams.renamed, "every": "resolve_every"}
        explore: Size = Field(100, description="uniform rounds at the start: T0")
        resolve_every: Size = Field(1, description="rounds between two solutions of the dual; 1 in the paper")
        tol: Annotated[Number, Field(ge=1e-9, le=1)] | Literal["exact"] | None = Field(
            None, description="gap of the dual, relative to the rewards: null is 0.1/t, `exact` is 1e-9"
        )
        gap: Positive | None = Field(None, description="c, for a gap of c/t instead of `tol`")
        null_arm: Flag = Field(True, description="whether the greedy choice may be to do nothing")
        stale: Flag = Field(
            False,
            description="solve the dual before the estimates of the round, in the printed order of lines 12 and 13",
        )

        @property
        def skips(self) -> bool:
            """Whether an experiment with capacities refuses single queries, instead of ending the run."""
            return getattr(self, "exit_rule", "exit") == "skip"

        @property
        def family(self) -> str:  # type: ignore[override]
            return "resolving_skip" if self.skips else "resolving"

        def label(self, method: str) -> str:
            return f"resolving{' (skip)' if self.skips else ''}, {self.assumed}"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        self.ratio = RatioZ(info, p.Z, p.slack)
        self.K, self.T, self.rng = info.n_arms, info.horizon, info.rng
        self.explore, self.resolve_every, self.tol, self.gap = p.explore, p.resolve_every, p.tol, p.gap
        self.null_arm, self.stale = p.null_arm, p.stale
        self.arms = learner(p, info)
        self.dual = ResolvingDual(info.dim, info.n_arms, info.n_resources, expected_samples=info.horizon)
        self.remaining = info.rho * info.horizon
        self.prices = np.zeros(info.n_resources)  # line 1
        self.t = 0

    def act(self, x: Floats) -> int:
        self.t += 1
        self.explores = self.t <= self.explore  # line 5
        if self.explores:
            return int(self.rng.integers(self.K))  # line 6
        estimates = self.arms.predict(x)
        score = estimates[:, 0] - estimates[:, 1:] @ self.prices  # line 4: less EstCost
        return best_arm(score, self.null_arm)  # line 8

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        arm, targets = checked_arm(arm, self.K), responses(reward, consumption, self.remaining.size)
        self.remaining = self.remaining - targets[1:]  # (T - t) rho_t of line 11
        self.dual.add(x)
        if self.stale:
            self._resolve()
        weight = 0.0 if arm == NULL_ARM else 1.0  # line 13: p = y, no weights
        self.arms.update(x, arm, targets, weight)
        if self.t <= self.explore:
            self.ratio.see(x)
            if self.t == self.explore:
                self.ratio.settle(self.arms.coef)
        if not self.stale:
            self._resolve()

    def _resolve(self) -> None:
        """Line 12, in the rounds whose prices are used."""
        if not self.explore <= self.t < self.T or (self.t - self.explore) % self.resolve_every:
            return
        coef = self.arms.coef
        rho = self.remaining / (self.T - self.t)  # line 11
        tol = self.gap / self.t if self.gap else self.tol
        self.prices = self.dual.solve(coef[:, 0], coef[:, 1:], rho, self.ratio.value, tol).lam
