"""Algorithm 4: primal-dual high-dimensional CBwK by resolving (Logarithmic Regret of CBwK by Resolving)."""

import numpy as np

from hdbwk.textbook.dual import dual_by_cvxpy, linear_data
from hdbwk.textbook.parts import Estimates, greedy_arm


class Resolving:
    """
    Algorithm 4.

    Line 13 comes before line 12, which needs its estimates; prices are computed once they are used, from T0 on. The
    caller stops at a violated constraint (line 10).
    """

    def __init__(
        self,
        estimates: Estimates,
        horizon: int,
        explore: int,
        rho: np.ndarray,
        Z: float,
        null_arm: bool,
        rng: np.random.Generator,
    ) -> None:
        self.estimates, self.T, self.T0, self.rho = estimates, horizon, explore, rho
        self.Z, self.null_arm, self.rng = Z, null_arm, rng
        self.K = len(estimates.mu)
        self.lam = np.zeros(len(rho))  # line 1
        self.contexts: list[np.ndarray] = []

    def score(self, x: np.ndarray) -> list[float]:
        """What line 8 maximises."""
        est_cost = [x @ W.T @ self.lam for W in self.estimates.W]  # line 4
        return [mu @ x - cost for mu, cost in zip(self.estimates.mu, est_cost, strict=True)]

    def act(self, x: np.ndarray) -> int:
        if len(self.contexts) < self.T0:  # line 5
            return int(self.rng.integers(self.K))  # line 6
        return greedy_arm(self.score(x), self.null_arm)  # line 8

    def update(self, x: np.ndarray, arm: int, reward: float, consumption: np.ndarray) -> None:
        self.contexts.append(x)
        t = len(self.contexts)
        for a in range(self.K):  # line 13
            p = y = float(a == arm)
            self.estimates.update(a, x, reward, consumption, y, p)
        if t < self.T:
            self.rho = ((self.T - t + 1) * self.rho - consumption) / (self.T - t)  # line 11
        if self.T0 <= t < self.T:
            self.value, self.lam = dual_by_cvxpy(*self.data(), self.rho, self.Z)  # line 12

    def data(self) -> tuple[np.ndarray, np.ndarray]:
        """Estimated rewards (t, K) and costs (t, K, m) of the contexts so far."""
        return linear_data(np.array(self.contexts), self.estimates.mu, self.estimates.W)
