"""The online LASSO, solved by scikit-learn to the end in every round, and its sparse output."""

import numpy as np
from sklearn.linear_model import Lasso


class OnlineLasso:
    """
    The scaled LASSO on all rows so far: sigma is that of the solution's own residuals, on columns of equal scale.

    `lasso` is the solution, `coef` the sparse estimate.
    """

    def __init__(self, dim: int, sparsity: int, scale: float = 1.0, ridge: float = 1.0) -> None:
        self.s0, self.scale, self.ridge = min(sparsity, dim), scale, ridge
        self.X, self.y, self.w = np.zeros((0, dim)), np.zeros(0), np.zeros(0)
        self.lasso = np.zeros(dim)

    def update(self, x: np.ndarray, y: float, weight: float = 1.0) -> np.ndarray:
        """Take in a row and return the sparse estimate."""
        self.X, self.y, self.w = np.vstack([self.X, x]), np.append(self.y, y), np.append(self.w, weight)
        self.lasso = self.solve()
        return self.coef()

    def solve(self) -> np.ndarray:
        """Alternate between the noise level and the LASSO at its penalty, until neither changes."""
        total, dim = self.w.sum(), self.X.shape[1]
        self.n = total**2 / (self.w**2).sum()
        root = np.sqrt(self.w / total)
        X, y = self.X * root[:, None], self.y * root  # means of squares are sums of squares
        self.rms = np.sqrt((X**2).sum(axis=0))
        Z = X / np.where(self.rms > 0, self.rms, 1.0)
        v, before = self.lasso * self.rms, np.inf
        for _ in range(1000):
            sigma = np.sqrt(max(np.sum((y - Z @ v) ** 2), 1e-8 * np.sum(y**2)))
            if abs(sigma - before) <= 1e-12 * sigma:
                break
            before = sigma
            penalty = self.scale * sigma * np.sqrt(max(np.log(dim * self.n), 0.0) / self.n)
            model = Lasso(penalty / (2 * len(y)), fit_intercept=False, tol=1e-10, max_iter=100_000, warm_start=True)
            model.coef_ = v
            v = model.fit(Z, y).coef_.copy()
        self.Z, self.target, self.sigma = Z, y, sigma
        return self.in_units(v)

    def coef(self) -> np.ndarray:
        """The s0 largest entries, refitted; or what one step of subspace pursuit makes of them, if that is better."""
        part = np.abs(self.lasso * self.rms)
        support = [j for j in np.argsort(-part, kind="stable")[: self.s0] if part[j] > 0]
        gradient = np.abs(self.Z.T @ (self.target - self.Z @ self.refit(support)))
        gradient[support] = 0.0
        noise = self.sigma * np.sqrt(max(np.log(len(gradient) * self.n), 0.0) / self.n)
        if gradient.max() <= noise:
            return self.in_units(self.refit(support))
        joined = [*support, *(j for j in np.argsort(-gradient, kind="stable")[: self.s0] if gradient[j] > 0)]
        other = self.strongest(joined)
        best = other if self.gain(other) > self.gain(support) else support
        return self.in_units(self.refit(best))

    def in_units(self, v: np.ndarray) -> np.ndarray:
        """Coefficients of the columns, from those of columns of scale 1."""
        return np.divide(v, self.rms, out=np.zeros(len(v)), where=self.rms > 0)

    def strongest(self, support: list[int]) -> list[int]:
        """Of some coordinates the s0 with the largest refitted coefficients."""
        size = np.abs(self.refit(support)[support])
        return [support[n] for n in np.argsort(-size, kind="stable")[: self.s0]]

    def refit(self, support: list[int]) -> np.ndarray:
        """Least squares on the support, with a ridge of `ridge` rows."""
        Z = self.Z[:, support]
        coef = np.zeros(self.Z.shape[1])
        coef[support] = np.linalg.solve(Z.T @ Z + self.ridge / self.n * np.eye(len(support)), Z.T @ self.target)
        return coef

    def gain(self, support: list[int]) -> float:
        """How much the refit lowers the sum of squares and ridge."""
        return float(self.target @ self.Z @ self.refit(support))
