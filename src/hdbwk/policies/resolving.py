"""Algorithm 4: the primal-dual CBwK algorithm by resolving."""

from typing import Any, ClassVar

import numpy as np

from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.dual.resolving import ResolvingDual
from hdbwk.estimators.bank import ArmBank
from hdbwk.policies.choice import best_arm
from hdbwk.policies.outcome import responses
from hdbwk.policies.protocol import InstanceInfo
from hdbwk.policies.ratio import Ratio, RatioZ


class Resolving:
    """
    Greedy Online HT at the prices that are optimal for the estimates and the remaining capacity.

    Parameters
    ----------
    info : InstanceInfo
    sparsity : int
        s0 of the estimates.
    explore : int
        T0, uniform rounds at the start.
    every : int
        Rounds between two solutions of the dual; 1 in the paper.
    tol : float, "exact" or None
        Gap allowed to the dual, see `hdbwk.dual.ResolvingDual.solve`; None is 0.1/t.
    Z, slack
        See `hdbwk.policies.ratio.RatioZ`.
    null_arm : bool
        Whether the greedy choice may be to do nothing.
    stale : bool
        Solve the dual before the estimates of the round, in the printed order of lines 12 and 13; by default after.
    **estimator
        working_sparsity, step, kappa, phi_max of `hdbwk.estimators.bank.ArmBank`.
    """

    knows_horizon: ClassVar[bool] = True

    def __init__(
        self,
        info: InstanceInfo,
        sparsity: int,
        explore: int = 100,
        every: int = 1,
        tol: float | str | None = None,
        Z: Ratio = "oracle",
        slack: float = 0.0,
        null_arm: bool = True,
        stale: bool = False,
        **estimator: Any,
    ) -> None:
        if explore < 1 or every < 1:
            raise ValueError(f"explore = {explore} and every = {every} must be at least 1")
        self.ratio = RatioZ(info, Z, slack, explore)
        self.K, self.T, self.rng = info.n_arms, info.horizon, info.rng
        self.explore, self.every, self.tol = explore, every, tol
        self.null_arm, self.stale = null_arm, stale
        self.arms = ArmBank(info.n_arms, 1 + info.n_resources, info.dim, sparsity, **estimator)
        self.dual = ResolvingDual(info.dim, info.n_arms, info.n_resources, capacity_hint=info.horizon)
        self.remaining = info.rho * info.horizon
        self.prices = np.zeros(info.n_resources)
        self.t = 0

    def act(self, x: Floats) -> int:
        self.t += 1
        self.explores = self.t <= self.explore
        if self.explores:  # line 6
            return int(self.rng.integers(self.K))
        estimates = self.arms.predict(x)
        score = estimates[:, 0] - estimates[:, 1:] @ self.prices  # line 8
        return best_arm(score, self.null_arm)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        arm, targets = checked_arm(arm, self.K), responses(reward, consumption, self.remaining.size)
        self.remaining = self.remaining - targets[1:]  # line 11
        self.dual.add(x)
        if self.stale:
            self._resolve()
        weight = 0.0 if arm == NULL_ARM else 1.0  # line 13: p = y, no weights
        self.arms.update(x, arm, targets, weight)
        if self.t <= self.explore:
            self.ratio.see(x)
            if self.t == self.explore:
                coef = self.arms.coef
                self.ratio.settle(coef[:, 0], coef[:, 1:])
        if not self.stale:
            self._resolve()

    def _resolve(self) -> None:
        """Line 12, in the rounds whose prices are used."""
        if not self.explore <= self.t < self.T or (self.t - self.explore) % self.every:
            return
        coef = self.arms.coef
        rho = self.remaining / (self.T - self.t)
        self.prices = self.dual.solve(coef[:, 0], coef[:, 1:], rho, self.ratio.value, self.tol).lam
