"""Textbook versions, straight from the paper in plain numpy: slow, obvious, and what the fast code must equal."""

import numpy as np
from reference_dual import dual_by_cvxpy, linear_data


def hard_threshold(v, s):
    """H_s: zero all but the s entries of largest absolute value; ties, up to rounding, go to the lower coordinate."""
    weakest = np.sort(np.abs(v))[-s]
    sure = np.flatnonzero(np.abs(v) > weakest * (1 + 1e-12))
    tied = np.flatnonzero(np.abs(np.abs(v) - weakest) <= weakest * 1e-12)
    keep = [*sure, *tied[: s - len(sure)]]
    out = np.zeros_like(v)
    out[keep] = v[keep]
    return np.where(np.abs(out) > 1e-14 * np.abs(out).max(), out, 0.0)


def normalized_step(mu, g, Sigma, moment, s):
    """
    The step that minimises the loss along g on the support of mu, and g.

    Where g has vanished there, as while mu = 0, the s largest entries of g take the place of the support if they bring
    in a new coordinate; otherwise g is kept on the support.
    """
    S = np.flatnonzero(mu)
    if np.abs(g[S]).max(initial=0) <= 1e-10 * np.abs(2 * moment[S]).max(initial=0):
        top = np.flatnonzero(hard_threshold(g, s))
        step = minimising_step(g, Sigma, top)
        weakest = np.abs(mu[S]).min() if S.size == s else 0.0
        if step * np.abs(g).max() > weakest * (1 + 1e-12):
            return step, g
        g = np.where(mu != 0, g, 0.0)
    return minimising_step(g, Sigma, S), g


def minimising_step(g, Sigma, S):
    """|g_S|^2 / (2 g_S' Sigma g_S); the diagonal of Sigma alone where it gives twenty times more."""
    curvature = g[S] @ Sigma[np.ix_(S, S)] @ g[S]
    diagonal = g[S] ** 2 @ np.diag(Sigma)[S]
    curvature = diagonal if curvature < 0.05 * diagonal else curvature
    return g[S] @ g[S] / (2 * curvature) if curvature > 0 else 0.0


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
        beta = self.step
        if beta == "normalized":
            beta, g = normalized_step(self.mu, g, self.Sigma, self.mean_xr, self.s)
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


class TextbookEstimates:
    """One textbook Online HT for the reward and for each consumption of every arm."""

    def __init__(self, K, m, dim, sparsity, working_sparsity, step):
        self.models = [
            [TextbookOnlineHT(dim, sparsity, working_sparsity, step) for _ in range(1 + m)] for _ in range(K)
        ]
        self.mu = np.zeros((K, dim))
        self.W = np.zeros((K, m, dim))

    def update(self, x, reward, consumption, weights):
        """One round of Algorithm 1 for all; `weights` holds y_{a,t} / p_{a,t}."""
        for a, (of_reward, *of_consumption) in enumerate(self.models):
            self.mu[a] = of_reward.update(x, reward, weights[a])
            for i, model in enumerate(of_consumption):
                self.W[a, i] = model.update(x, consumption[i], weights[a])


def greedy_arm(score, null_arm):
    """The arm of largest score, or -1 if the null arm is allowed and beats them all."""
    return -1 if null_arm and max(score) < 0 else int(np.argmax(score))


def hedge(eta, delta, excess):
    """Line 13 of Algorithm 2: weights that grow with what was used in excess, projected on |eta|_1 <= 1."""
    alpha = eta * np.exp(delta * excess)
    return alpha if alpha.sum() <= 1 else alpha / alpha.sum()


class TextbookPrimalDual:
    """Algorithm 2; `epsilon` is a function of t, and the rounds of pure exploration are those where it is 1/K."""

    def __init__(self, estimates, epsilon, rho, delta, Z, null_arm, rng):
        self.estimates, self.epsilon, self.rho, self.delta = estimates, epsilon, rho, delta
        self.Z, self.null_arm, self.rng = Z, null_arm, rng
        self.K = len(estimates.mu)
        self.eta = np.full(len(rho), 1 / len(rho))
        self.t = 0

    def act(self, x):
        self.t += 1
        est_cost = [x @ W.T @ self.eta for W in self.estimates.W]  # line 5
        score = [mu @ x - self.Z * cost for mu, cost in zip(self.estimates.mu, est_cost, strict=True)]  # line 8
        self.greedy = greedy_arm(score, self.null_arm)
        self.nu = self.rng.random() < self.K * self.epsilon(self.t)  # line 6
        return int(self.rng.integers(self.K)) if self.nu else self.greedy  # lines 7 to 11

    def update(self, x, arm, reward, consumption):
        self.eta = hedge(self.eta, self.delta, (consumption - self.rho) * (1 - self.nu))  # line 13
        epsilon = self.epsilon(self.t)
        weights = np.zeros(self.K)
        for a in range(self.K):  # line 14
            p = 1 - (self.K - 1) * epsilon if a == self.greedy else epsilon
            y = float(a == arm)
            weights[a] = y / p if y > 0 else 0.0
        self.estimates.update(x, reward, consumption, weights)


class TextbookResolving:
    """Algorithm 4, with the dual by cvxpy from the end of the initial period on."""

    def __init__(self, estimates, horizon, explore, rho, Z, null_arm, rng):
        self.estimates, self.T, self.T0, self.rho = estimates, horizon, explore, rho
        self.Z, self.null_arm, self.rng = Z, null_arm, rng
        self.K = len(estimates.mu)
        self.lam = np.zeros(len(rho))
        self.contexts = []

    def score(self, x):
        """What line 8 maximises."""
        return [
            mu @ x - x @ W.T @ self.lam  # the latter is EstCost of line 4
            for mu, W in zip(self.estimates.mu, self.estimates.W, strict=True)
        ]

    def act(self, x):
        if len(self.contexts) < self.T0:
            return int(self.rng.integers(self.K))  # line 6
        return greedy_arm(self.score(x), self.null_arm)  # line 8

    def update(self, x, arm, reward, consumption):
        self.contexts.append(x)
        t = len(self.contexts)
        self.estimates.update(x, reward, consumption, [float(a == arm) for a in range(self.K)])  # line 13
        if t < self.T:
            self.rho = ((self.T - t + 1) * self.rho - consumption) / (self.T - t)  # line 11
            if t >= self.T0:
                self.value, self.lam = dual_by_cvxpy(*self.data(), self.rho, self.Z)  # line 12

    def data(self):
        """Estimated rewards and costs of all contexts so far."""
        return linear_data(np.array(self.contexts), self.estimates.mu, self.estimates.W)


class TextbookLinCBwK:
    """linCBwK with a ridge regression for each arm, solved anew every round."""

    def __init__(self, K, dim, radius, rho, delta, Z):
        self.K, self.radius, self.rho, self.delta, self.Z = K, radius, rho, delta, Z
        self.M = [np.eye(dim) for _ in range(K)]
        self.moment = [np.zeros((dim, 1 + len(rho))) for _ in range(K)]
        self.theta = np.full(len(rho), 1 / len(rho))
        self.t = 0

    def act(self, x):
        self.t += 1
        score = []
        for M, moment in zip(self.M, self.moment, strict=True):
            estimate = np.linalg.solve(M, moment)
            width = self.radius(self.t) * np.sqrt(x @ np.linalg.solve(M, x))
            reward = x @ estimate[:, 0] + width
            costs = x @ estimate[:, 1:] - width
            score.append(reward - self.Z * costs @ self.theta)
        return greedy_arm(score, null_arm=True)

    def update(self, x, arm, reward, consumption):
        self.theta = hedge(self.theta, self.delta, consumption - self.rho)
        if arm >= 0:
            self.M[arm] += np.outer(x, x)
            self.moment[arm] += np.outer(x, [reward, *consumption])
