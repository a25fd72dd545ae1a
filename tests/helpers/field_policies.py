"""The policies of the field in plain numpy and scikit-learn, refitted from all rows in every round."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, Ridge


def lasso(X, y, alpha):
    """The minimiser of |y - X b|^2 / (2 n) + alpha |b|_1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # with one row scikit-learn's gap cannot close
        return Lasso(max(alpha, 1e-12), fit_intercept=False, tol=1e-13, max_iter=100_000).fit(X, y).coef_


class ArmRows:
    """The rows and responses of each arm."""

    def __init__(self, K, dim, rng):
        self.K, self.dim, self.rng = K, dim, rng
        self.X, self.y = [[] for _ in range(K)], [[] for _ in range(K)]
        self.t = 0

    def update(self, x, arm, reward, consumption=None):
        if arm >= 0:
            self.X[arm].append(x)
            self.y[arm].append(self.response(reward, consumption))

    def response(self, reward, consumption):
        return reward

    def rows(self, a):
        return np.array(self.X[a]), np.array(self.y[a])


class ThLasso(ArmRows):
    def act(self, x):
        mu = [self.estimate(a) for a in range(self.K)]
        unknown = [a for a in range(self.K) if not mu[a].any()]
        return int(self.rng.choice(unknown)) if unknown else int(np.argmax([x @ m for m in mu]))

    def estimate(self, a):
        mu = np.zeros(self.dim)
        if len(self.X[a]) > 1:
            X, y = self.rows(a)
            n = len(y)
            penalty = 0.02 * np.sqrt(2 * np.log(n) * np.log(self.dim) / n)
            b = abs(lasso(X, y, penalty))
            S0 = [j for j in range(self.dim) if b[j] > 4 * penalty]
            S1 = [j for j in S0 if b[j] > 4 * penalty * np.sqrt(len(S0))]
            mu[S1] = np.linalg.lstsq(X[:, S1], y, rcond=None)[0]
        return mu


class SaLasso(ArmRows):
    def act(self, x):
        return int(np.argmax([x @ self.estimate(a) for a in range(self.K)]))

    def estimate(self, a):
        n = len(self.X[a])
        return (
            lasso(*self.rows(a), 0.1 * np.sqrt((4 * np.log(n) + 2 * np.log(self.dim)) / n)) if n else np.zeros(self.dim)
        )


class LassoBandit(ArmRows):
    """With q = 1, h = 2 and penalties of 0.3."""

    def __init__(self, K, dim, rng):
        super().__init__(K, dim, rng)
        self.forced = ArmRows(K, dim, rng)

    def act(self, x):
        self.t += 1
        starts = [(2**n - 1) * self.K for n in range(20)]
        self.turn = next((self.t - 1 - start for start in starts if start < self.t <= start + self.K), None)
        if self.turn is not None:
            return self.turn
        by_forced = [x @ lasso(*self.forced.rows(a), 0.3 / 2) for a in range(self.K)]
        near = [a for a in range(self.K) if by_forced[a] >= max(by_forced) - 2 / 2]
        penalty = 0.3 * np.sqrt((np.log(self.t) + np.log(self.K * self.dim)) / self.t)
        return near[int(np.argmax([x @ lasso(*self.rows(a), penalty / 2) for a in near]))]

    def update(self, x, arm, reward, consumption=None):
        super().update(x, arm, reward)
        if self.turn is not None:
            self.forced.update(x, arm, reward)


class GreedyRidge(ArmRows):
    def act(self, x):
        return int(np.argmax([self.score(x, a) for a in range(self.K)]))

    def score(self, x, a):
        if not self.X[a]:
            return 0.0
        return x @ Ridge(1.0, fit_intercept=False, solver="cholesky").fit(*self.rows(a)).coef_

    def covariance(self, a):
        X = np.array(self.X[a]).reshape(-1, self.dim)
        return np.linalg.inv(np.eye(self.dim) + X.T @ X)


class LinUCB(GreedyRidge):
    def score(self, x, a):
        return super().score(x, a) + 0.1 * np.sqrt(x @ self.covariance(a) @ x)


class LinTS(GreedyRidge):
    def score(self, x, a):
        deviation = np.sqrt(x @ self.covariance(a) @ x)
        return self.rng.normal(super().score(x, a), 0.1 * deviation)


class SquareCBwK(ArmRows):
    """With ridge regressions and the null arm as one more arm."""

    def __init__(self, K, dim, rng, rho, T, Z):
        super().__init__(K, dim, rng)
        m = len(rho)
        self.rho, self.Z, self.weights = rho, Z, np.ones(m + 1)
        self.gamma, self.step = 2 * np.sqrt(K * T / (dim * np.log(T))), 2 * np.log(m) / np.sqrt(T)

    def act(self, x):
        prices = self.Z * (self.weights / self.weights.sum())[:-1]
        score = [self.rho @ prices] * (self.K + 1)
        for a in range(self.K):
            if self.X[a]:
                X, Y = self.rows(a)
                estimate = np.linalg.solve(np.eye(self.dim) + X.T @ X, X.T @ Y).T @ x
                score[a] = estimate[0] + (self.rho - estimate[1:]) @ prices
        best = int(np.argmax(score))
        p = [1 / (self.K + 1 + self.gamma * (score[best] - s)) for s in score]
        p[best] = 1 - sum(p[a] for a in range(self.K + 1) if a != best)
        arm = int(self.rng.choice(self.K + 1, p=p))
        return arm if arm < self.K else -1

    def response(self, reward, consumption):
        return [reward, *consumption]

    def update(self, x, arm, reward, consumption):
        super().update(x, arm, reward, consumption)
        self.weights = self.weights * np.exp(self.step * np.append(consumption - self.rho, 0.0))
