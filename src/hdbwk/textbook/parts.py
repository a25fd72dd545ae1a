"""What Algorithms 2 and 4 share: the estimates of all arms, and the choice between arms."""

from collections.abc import Sequence

import numpy as np

from hdbwk.textbook.online_ht import OnlineHT, Step


class Estimates:
    """For each arm a, one Online HT for the reward (mu_a) and one for each of the m consumptions (the rows of W_a)."""

    def __init__(self, K: int, m: int, dim: int, sparsity: int, working_sparsity: int, step: Step) -> None:
        self.models = [[OnlineHT(dim, sparsity, working_sparsity, step) for _ in range(1 + m)] for _ in range(K)]
        self.mu = np.zeros((K, dim))
        self.W = np.zeros((K, m, dim))

    def update(self, a: int, x: np.ndarray, reward: float, consumption: np.ndarray, y: float, p: float) -> None:
        """One round of Algorithm 1 for arm a, with y_{a,t} and p_{a,t}."""
        of_reward, *of_consumption = self.models[a]
        self.mu[a] = of_reward.update(x, reward, y, p)
        for i, model in enumerate(of_consumption):
            self.W[a, i] = model.update(x, consumption[i], y, p)


def greedy_arm(score: Sequence[float], null_arm: bool) -> int:
    """The arm of largest score, or -1 if the null arm, whose score is 0, is allowed and beats them all."""
    return -1 if null_arm and max(score) < 0 else int(np.argmax(score))
