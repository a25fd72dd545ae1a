"""linCBwK of Agrawal and Devanur (2016), one ridge regression for each arm: the baseline (High-dimensional BwK)."""

from collections.abc import Callable

import numpy as np

from hdbwk.textbook.parts import greedy_arm
from hdbwk.textbook.primal_dual import hedge


class LinCBwK:
    """Optimism for rewards and consumptions, with the prices of Algorithm 2; `radius` is a function of t."""

    def __init__(
        self, K: int, dim: int, radius: Callable[[int], float], rho: np.ndarray, delta: float, Z: float
    ) -> None:
        self.K, self.radius, self.rho, self.delta, self.Z = K, radius, rho, delta, Z
        self.M = [np.eye(dim) for _ in range(K)]  # I + sum x x'
        self.moment = [np.zeros((dim, 1 + len(rho))) for _ in range(K)]  # sum x (r, b)
        self.theta = np.full(len(rho), 1 / len(rho))
        self.t = 0

    def act(self, x: np.ndarray) -> int:
        self.t += 1
        score = []
        for M, moment in zip(self.M, self.moment, strict=True):
            estimate = np.linalg.solve(M, moment)
            width = self.radius(self.t) * np.sqrt(x @ np.linalg.solve(M, x))
            reward = x @ estimate[:, 0] + width
            costs = x @ estimate[:, 1:] - width
            score.append(reward - self.Z * costs @ self.theta)
        return greedy_arm(score, null_arm=True)

    def update(self, x: np.ndarray, arm: int, reward: float, consumption: np.ndarray) -> None:
        self.theta = hedge(self.theta, self.delta, consumption - self.rho)
        if arm >= 0:
            self.M[arm] += np.outer(x, x)
            self.moment[arm] += np.outer(x, [reward, *consumption])
