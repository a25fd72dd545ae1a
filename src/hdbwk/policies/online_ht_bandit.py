"""Algorithm 3: the high-dimensional bandit by Online HT."""

import math
from typing import Any, ClassVar, Literal

import numpy as np

from hdbwk.core.validation import NULL_ARM, Floats, checked_arm
from hdbwk.estimators.bank import ArmBank
from hdbwk.policies.choice import best_arm
from hdbwk.policies.protocol import InstanceInfo
from hdbwk.policies.schedules import Exploration, bandit_poor_scale


class OnlineHTBandit:
    """
    Epsilon-greedy on the Online HT estimates of all arms; greedy with epsilon = 0.

    Parameters
    ----------
    info : InstanceInfo
    sparsity : int
        s0 of the estimates.
    epsilon : float or "theory", default=0
        epsilon_0 of epsilon_t = epsilon_0 t^(-decay), capped at 1/K; "theory" is the constant of Theorem
        "bandit-poor" for the given `noise`, `bound` and `reward_bound`.
    decay : float, default=1/3
    propensity : "printed" or "true", default="printed"
        The probability p in the weight 1/p of the arm that was pulled. As printed it is 1 - (K - 1) epsilon_t
        whether the arm was the greedy one or not; "true" is epsilon_t for an arm that was not, as in Algorithm 2.
    noise, bound, reward_bound : float
        sigma, D and R_max, for ``epsilon="theory"``.
    **estimator
        working_sparsity, step, kappa, phi_max of `hdbwk.estimators.bank.ArmBank`.
    """

    knows_horizon: ClassVar[bool] = False

    def __init__(
        self,
        info: InstanceInfo,
        sparsity: int,
        epsilon: float | Literal["theory"] = 0.0,
        decay: float = 1 / 3,
        propensity: Literal["printed", "true"] = "printed",
        noise: float = math.nan,
        bound: float = math.nan,
        reward_bound: float = math.nan,
        **estimator: Any,
    ) -> None:
        if propensity not in ("printed", "true"):
            raise ValueError(f'propensity = {propensity!r} must be "printed" or "true"')
        if epsilon == "theory":
            epsilon = bandit_poor_scale(noise, bound, sparsity, reward_bound, info.n_arms, info.dim)
        self.K, self.rng = info.n_arms, info.rng
        self.arms = ArmBank(info.n_arms, 1, info.dim, sparsity, **estimator)
        self.epsilon = Exploration(epsilon, decay, info.n_arms)
        self.printed = propensity == "printed"
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
