"""Algorithm 2: the primal-dual CBwK algorithm, with Hedge prices on the resources."""

from typing import Any, ClassVar

from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.estimators.bank import ArmBank
from hdbwk.policies.choice import best_arm
from hdbwk.policies.outcome import responses
from hdbwk.policies.prices import Hedge, learning_rate
from hdbwk.policies.protocol import InstanceInfo
from hdbwk.policies.ratio import Ratio, RatioZ
from hdbwk.policies.schedules import Exploration


class PrimalDual:
    """
    Epsilon-greedy Online HT on rewards and consumptions, less the prices of the resources.

    Parameters
    ----------
    info : InstanceInfo
    sparsity : int
        s0 of the estimates.
    epsilon, decay : float
        epsilon_t = epsilon t^(-decay), capped at 1/K: 1/3 in the general case, 1/2 under the margin condition, and
        epsilon = 0 under diverse covariates.
    explore : int
        Rounds at the start in which epsilon_t = 1/K, that is, uniform pulls.
    Z, slack
        See `hdbwk.policies.ratio.RatioZ`.
    delta_scale, cost_bound : float
        c and B of the learning rate c sqrt(log m / (T B)).
    null_arm : bool
        Whether the greedy choice may be to do nothing.
    **estimator
        working_sparsity, step, kappa, phi_max of `hdbwk.estimators.bank.ArmBank`.
    """

    knows_horizon: ClassVar[bool] = True

    def __init__(
        self,
        info: InstanceInfo,
        sparsity: int,
        epsilon: float = 0.0,
        decay: float = 1 / 3,
        explore: int = 50,
        Z: Ratio = "oracle",
        slack: float = 0.0,
        delta_scale: float = 1.0,
        cost_bound: float = 1.0,
        null_arm: bool = True,
        **estimator: Any,
    ) -> None:
        self.ratio = RatioZ(info, Z, slack, explore)
        self.K, self.rng, self.explore, self.null_arm = info.n_arms, info.rng, explore, null_arm
        self.arms = ArmBank(info.n_arms, 1 + info.n_resources, info.dim, sparsity, **estimator)
        self.hedge = Hedge(info.rho, learning_rate(delta_scale, info.horizon, info.n_resources, cost_bound))
        self.schedule = Exploration(epsilon, decay, info.n_arms)
        self.t = 0

    @property
    def prices(self) -> Floats:
        """lambda = Z eta."""
        return self.ratio.value * self.hedge.eta

    def epsilon(self) -> float:
        """epsilon_t of this round."""
        return 1 / self.K if self.t <= self.explore else self.schedule(self.t)

    def act(self, x: Floats) -> int:
        self.t += 1
        estimates = self.arms.predict(x)
        score = estimates[:, 0] - estimates[:, 1:] @ self.prices  # lines 5 and 8
        self.greedy = best_arm(score, self.null_arm)
        self.explores = self.rng.random() < self.K * self.epsilon()  # line 6: nu_t
        return int(self.rng.integers(self.K)) if self.explores else self.greedy

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        arm, targets = checked_arm(arm, self.K), responses(reward, consumption, self.hedge.rho.size)
        if not self.explores:
            self.hedge.update(targets[1:])  # line 13: greedy rounds only
        self.arms.update(x, arm, targets, self._weight(arm))
        if self.t <= self.explore:
            self.ratio.see(x)
            if self.t == self.explore:
                coef = self.arms.coef
                self.ratio.settle(coef[:, 0], coef[:, 1:])

    def _weight(self, arm: int) -> float:
        """Line 14: 1/p of the arm that was pulled; the null arm teaches nothing."""
        if arm == NULL_ARM:
            return 0.0
        epsilon = self.epsilon()
        return 1 / (1 - (self.K - 1) * epsilon) if arm == self.greedy else 1 / epsilon
