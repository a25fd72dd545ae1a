"""Data that the tests of the dual share."""

import numpy as np

EXACT = 1e-9  # the default tolerance of solve_dual, relative to the rewards
ORACLE = 1e-7  # what HiGHS promises for feasibility, on data of order one


def random_data(rng, n, K, m):
    return rng.normal(0.3, 1.0, (n, K)), rng.normal(0.5, 1.0, (n, K, m)), rng.uniform(0.05, 0.5, m)


def reward_scale(rewards):
    return np.abs(rewards).max(axis=1).mean()


class GaussianInstance:
    """Sparse linear arms, contexts Gaussian with covariance alpha^|i-j|."""

    def __init__(self, seed=0, d=40, K=3, m=4, s0=5, alpha=0.5, with_moments=False):
        rng = np.random.default_rng(seed)
        self.mu, self.W = np.zeros((K, d)), np.zeros((K, m, d))
        for a in range(K):
            support = rng.choice(d, s0, replace=False)
            self.mu[a, support] = rng.uniform(0.5, 1.0, s0)
            self.W[a][:, support] = rng.uniform(0.0, 1.0, (m, s0))
        self.rho = rng.uniform(0.2, 0.8, m)
        covariance = alpha ** np.abs(np.subtract.outer(np.arange(d), np.arange(d)))
        self._root = np.linalg.cholesky(covariance)
        if with_moments:
            self.context_mean, self.context_covariance = np.zeros(d), covariance

    def contexts(self, n, rng):
        return rng.standard_normal((n, len(self._root))) @ self._root.T
