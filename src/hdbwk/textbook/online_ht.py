"""Algorithm 1, Online HT: online hard thresholding with averaged gradient (Optimal Online Sparse Estimation)."""

from typing import Literal

import numpy as np

Step = float | Literal["normalized"]


class OnlineHT:
    """Algorithm 1 for one arm a and one response r; beta_t is a number or, if "normalized", that of `line_search`."""

    def __init__(self, dim: int, sparsity: int, working_sparsity: int, step: Step) -> None:
        self.s0, self.s, self.step = sparsity, working_sparsity, step
        self.t = 0
        self.Sigma = np.zeros((dim, dim))
        self.mean_xr = np.zeros(dim)
        self.mu = np.zeros(dim)  # line 1

    def update(self, x: np.ndarray, r: float, y: float = 1.0, p: float = 1.0) -> np.ndarray:
        """Take in round t, in which the arm was pulled (y = 1) or not (y = 0), and return the s0-sparse estimate."""
        self.t += 1
        t = self.t
        weight = y / p if p > 0 else 0.0  # lines 3 to 6
        self.Sigma = ((t - 1) * self.Sigma + weight * np.outer(x, x)) / t  # line 7
        self.mean_xr = ((t - 1) * self.mean_xr + weight * r * x) / t  # the mean in line 8
        g = 2 * self.Sigma @ self.mu - 2 * self.mean_xr  # line 8
        beta = line_search(self.mu, g, self.Sigma, self.mean_xr, self.s) if self.step == "normalized" else self.step
        self.mu = hard_threshold(self.mu - beta * g, self.s)  # line 9
        return hard_threshold(self.mu, self.s0)  # line 10


def hard_threshold(v: np.ndarray, s: int) -> np.ndarray:
    """H_s: keep the s entries of largest absolute value, and of those that tie, up to rounding, the first."""
    size = np.abs(v)
    weakest = np.sort(size)[-s]
    larger = size > weakest * (1 + 1e-12)
    tied = ~larger & (size >= weakest * (1 - 1e-12))
    keep = larger | tied & (np.cumsum(tied) <= s - larger.sum())
    return np.where(keep & (size > 1e-14 * size.max()), v, 0.0)


def line_search(mu: np.ndarray, g: np.ndarray, Sigma: np.ndarray, mean_xr: np.ndarray, s: int) -> float | np.ndarray:
    """
    The beta_t that minimises the loss along g on the support of mu; the paper's experiments do not name theirs.

    Where g vanishes there, as while mu = 0, the s largest entries of g take the place of the support, if one of them
    would then enter it. If none would, only the support moves: beta_t is zero elsewhere.
    """
    support = mu != 0
    if np.abs(g[support]).max(initial=0) > 1e-10 * np.abs(2 * mean_xr[support]).max(initial=0):
        return minimising_step(g, Sigma, support)
    beta = minimising_step(g, Sigma, hard_threshold(g, s) != 0)
    weakest = np.abs(mu[support]).min() if support.sum() == s else 0.0
    if beta * np.abs(g).max() > weakest * (1 + 1e-12):
        return beta
    return minimising_step(g, Sigma, support) * support


def minimising_step(g: np.ndarray, Sigma: np.ndarray, S: np.ndarray) -> float:
    """|g_S|^2 / (2 g_S' Sigma g_S); the diagonal stands in for a Sigma that is nearly flat along g_S."""
    g = g[S]
    curvature = g @ Sigma[np.ix_(S, S)] @ g
    uncorrelated = g**2 @ np.diag(Sigma)[S]
    curvature = uncorrelated if curvature < 0.05 * uncorrelated else curvature
    return g @ g / (2 * curvature) if curvature > 0 else 0.0


def online_ht(
    X: np.ndarray,
    r: np.ndarray,
    sparsity: int,
    working_sparsity: int,
    step: Step,
    weights: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Algorithm 1 over the rows of X, whose y / p are `weights`: the s0-sparse estimate and the s-sparse iterate."""
    model = OnlineHT(X.shape[1], sparsity, working_sparsity, step)
    for x, response, weight in zip(X, r, np.ones(len(X)) if weights is None else weights, strict=True):
        estimate = model.update(x, response, weight)
    return estimate, model.mu
