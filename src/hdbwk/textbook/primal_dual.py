"""Algorithm 2: primal-dual high-dimensional CBwK (Online Allocation: CBwK Problem)."""

from collections.abc import Callable

import numpy as np

from hdbwk.textbook.parts import Estimates, greedy_arm


class PrimalDual:
    """
    Algorithm 2; `epsilon` gives epsilon_t for t.

    The first rounds (line 2) are those where epsilon_t = 1/K, and what they taught is kept; the caller stops at a
    violated constraint (line 12).
    """

    def __init__(
        self,
        estimates: Estimates,
        epsilon: Callable[[int], float],
        rho: np.ndarray,
        delta: float,
        Z: float,
        null_arm: bool,
        rng: np.random.Generator,
    ) -> None:
        self.estimates, self.epsilon, self.rho, self.delta = estimates, epsilon, rho, delta
        self.Z, self.null_arm, self.rng = Z, null_arm, rng
        self.K = len(estimates.mu)
        self.eta = np.full(len(rho), 1 / len(rho))  # line 2
        self.t = 0

    def act(self, x: np.ndarray) -> int:
        self.t += 1
        est_cost = [x @ W.T @ self.eta for W in self.estimates.W]  # line 5
        self.nu = self.rng.random() < self.K * self.epsilon(self.t)  # line 6
        score = [mu @ x - self.Z * cost for mu, cost in zip(self.estimates.mu, est_cost, strict=True)]
        self.greedy = greedy_arm(score, self.null_arm)  # line 8
        return int(self.rng.integers(self.K)) if self.nu else self.greedy  # lines 7 to 11

    def update(self, x: np.ndarray, arm: int, reward: float, consumption: np.ndarray) -> None:
        self.eta = hedge(self.eta, self.delta, (consumption - self.rho) * (1 - self.nu))  # line 13
        epsilon = self.epsilon(self.t)
        for a in range(self.K):  # line 14
            p = 1 - (self.K - 1) * epsilon if a == self.greedy else epsilon
            self.estimates.update(a, x, reward, consumption, float(a == arm), p)


def hedge(eta: np.ndarray, delta: float, excess: np.ndarray) -> np.ndarray:
    """Line 13: prices grow with what was used in excess of C/T, and are scaled back to the simplex."""
    alpha = eta * np.exp(delta * excess)
    return alpha if alpha.sum() <= 1 else alpha / alpha.sum()
