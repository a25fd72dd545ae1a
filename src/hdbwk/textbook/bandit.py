"""Algorithm 3: high-dimensional bandit by Online HT (Application of Online HT to High-dimensional Bandit Problem)."""

from collections.abc import Callable

import numpy as np

from hdbwk.textbook.online_ht import OnlineHT, Step


class Bandit:
    """Algorithm 3; `epsilon` gives epsilon_t for t."""

    def __init__(
        self,
        K: int,
        dim: int,
        sparsity: int,
        working_sparsity: int,
        step: Step,
        epsilon: Callable[[int], float],
        rng: np.random.Generator,
    ) -> None:
        self.K, self.epsilon, self.rng = K, epsilon, rng
        self.models = [OnlineHT(dim, sparsity, working_sparsity, step) for _ in range(K)]
        self.mu = np.zeros((K, dim))  # line 1
        self.t = 0

    def act(self, x: np.ndarray) -> int:
        self.t += 1
        greedy = np.argmax([x @ mu for mu in self.mu])
        nu = self.rng.random() < self.K * self.epsilon(self.t)  # line 4
        return int(self.rng.integers(self.K)) if nu else int(greedy)  # line 5

    def update(self, x: np.ndarray, arm: int, reward: float, consumption: np.ndarray | None = None) -> None:
        epsilon = self.epsilon(self.t)
        for a in range(self.K):  # line 6
            y = float(a == arm)
            p = (1 - self.K * epsilon) * y + epsilon  # as printed, also for an arm that was explored
            self.mu[a] = self.models[a].update(x, reward, y, p)
