"""Textbook versions, straight from the paper in plain numpy: slow, obvious, and what the fast code must equal."""

import numpy as np


def hard_threshold(v, s):
    """H_s: zero all but the s entries of largest absolute value; ties go to the lower coordinate."""
    keep = np.argsort(-np.abs(v), kind="stable")[:s]
    out = np.zeros_like(v)
    out[keep] = v[keep]
    return out


def normalized_step(mu, g, Sigma, s):
    """|g_S|^2 / (2 g_S' Sigma g_S) on the support of mu, or on the s largest entries of g while mu = 0."""
    S = np.flatnonzero(mu) if mu.any() else np.flatnonzero(hard_threshold(g, s))
    curvature = 2 * g[S] @ Sigma[np.ix_(S, S)] @ g[S]
    return g[S] @ g[S] / curvature if curvature > 0 else 0.0


class TextbookOnlineHT:
    """Algorithm 1 for one arm and one response."""

    def __init__(self, dim, sparsity, working_sparsity, step):
        self.s0, self.s, self.step = sparsity, working_sparsity, step
        self.t = 0
        self.Sigma = np.zeros((dim, dim))
        self.mean_xr = np.zeros(dim)
        self.mu = np.zeros(dim)

    def update(self, x, r, weight=1.0):
        """One round; `weight` is y_{a,t} / p_{a,t}."""
        self.t += 1
        t = self.t
        self.Sigma = ((t - 1) * self.Sigma + weight * np.outer(x, x)) / t  # line 7
        self.mean_xr = ((t - 1) * self.mean_xr + weight * r * x) / t
        g = 2 * self.Sigma @ self.mu - 2 * self.mean_xr  # line 8
        beta = normalized_step(self.mu, g, self.Sigma, self.s) if self.step == "normalized" else self.step
        self.mu = hard_threshold(self.mu - beta * g, self.s)  # line 9
        return hard_threshold(self.mu, self.s0)  # line 10


def textbook_online_ht(X, y, sparsity, working_sparsity, step, weights=None):
    """Algorithm 1 over the rows of X: the s0-sparse output and the s-sparse iterate."""
    weights = np.ones(len(X)) if weights is None else weights
    model = TextbookOnlineHT(X.shape[1], sparsity, working_sparsity, step)
    for x, r, weight in zip(X, y, weights, strict=True):
        output = model.update(x, r, weight)
    return output, model.mu


class TextbookBandit:
    """Algorithm 3: one textbook Online HT for each arm."""

    def __init__(self, K, dim, sparsity, working_sparsity, step, epsilon, rng):
        self.K, self.epsilon, self.rng = K, epsilon, rng
        self.models = [TextbookOnlineHT(dim, sparsity, working_sparsity, step) for _ in range(K)]
        self.mu = np.zeros((K, dim))
        self.t = 0

    def act(self, x):
        self.t += 1
        greedy = np.argmax([x @ mu for mu in self.mu])
        nu = self.rng.random() < self.K * self.epsilon(self.t)  # line 4
        return int(self.rng.integers(self.K)) if nu else int(greedy)  # line 5

    def update(self, x, arm, reward, consumption=None):
        epsilon = self.epsilon(self.t)
        for a in range(self.K):  # line 6
            y = float(a == arm)
            p = (1 - self.K * epsilon) * y + epsilon
            self.mu[a] = self.models[a].update(x, reward, weight=y / p if p > 0 else 0.0)
