"""Libraries that fit all rows so far again, from their last solution where they can."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.comparison.sizes import SPARSITY

SCALE = 0.5  # c of the penalty: the best of the three of Figure 1
TOLERANCE = 1e-6  # of the duality gap, relative to |y|^2 / t: that of Figure 1
VIOLATION = 1e-5  # of the optimality conditions, relative to the penalty: the weakest that gives skglm such gaps
SWEEPS = 10_000


def penalty(rounds: int, dim: int) -> float:
    """`alpha` of scikit-learn for the penalty of Section 8.1, as in `hdbwk.estimators.lasso`."""
    return SCALE * math.sqrt(math.log(dim * rounds) / rounds) / 2


class Refit:
    """An estimator with `fit` and `coef_`; `tune(t, d)` gives its parameters for t rows."""

    def __init__(self, model: Any, tune: Callable[[int, int], dict[str, Any]]) -> None:
        self.model, self.tune = model, tune
        self.rows = np.empty((0, 0))
        self.targets = np.empty(0)
        self.seen = 0

    def start(self, X: np.ndarray, y: np.ndarray) -> object:
        return self.update(X, y)

    def update(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        self._append(X, y)
        self.model.set_params(**self.tune(self.seen, X.shape[1]))
        self.model.fit(self.rows[: self.seen], self.targets[: self.seen])
        return np.array(self.model.coef_)

    def _append(self, X: np.ndarray, y: np.ndarray) -> None:
        """Room doubles when it is full, so that no time goes into copies of the history."""
        end = self.seen + len(X)
        if end > len(self.rows):
            rows, targets = np.empty((2 * end, X.shape[1])), np.empty(2 * end)
            if self.seen:
                rows[: self.seen], targets[: self.seen] = self.rows[: self.seen], self.targets[: self.seen]
            self.rows, self.targets = rows, targets
        self.rows[self.seen : end], self.targets[self.seen : end] = X, y
        self.seen = end


def sklearn_lasso() -> Refit:
    """Coordinate descent."""
    from sklearn.linear_model import Lasso

    model = Lasso(fit_intercept=False, warm_start=True, tol=TOLERANCE, max_iter=SWEEPS)
    return Refit(model, lambda rounds, dim: {"alpha": penalty(rounds, dim)})


def celer_lasso() -> Refit:
    """Working sets and dual extrapolation (Massias, Gramfort and Salmon 2018)."""
    from celer import Lasso

    model = Lasso(fit_intercept=False, warm_start=True, tol=TOLERANCE)
    return Refit(model, lambda rounds, dim: {"alpha": penalty(rounds, dim)})


def skglm_lasso() -> Refit:
    """Working sets and Anderson acceleration (Bertrand et al. 2022)."""
    from skglm import Lasso

    def tune(rounds: int, dim: int) -> dict[str, Any]:
        alpha = penalty(rounds, dim)
        return {"alpha": alpha, "tol": VIOLATION * alpha}

    return Refit(Lasso(fit_intercept=False, warm_start=True), tune)


def matching_pursuit() -> Refit:
    """Orthogonal matching pursuit, given s0; it has no warm start."""
    from sklearn.linear_model import OrthogonalMatchingPursuit

    return Refit(OrthogonalMatchingPursuit(fit_intercept=False, precompute=False), sparsity_for("n_nonzero_coefs"))


def best_subset() -> Refit:
    """Best subset by splicing (Zhu et al. 2020), given s0; it has no warm start."""
    from abess import LinearRegression

    return Refit(LinearRegression(fit_intercept=False, thread=1), sparsity_for("support_size"))


def sparsity_for(name: str) -> Callable[[int, int], dict[str, Any]]:
    """s0, or half the number of rows: abess does not come back from a support of as many entries as rows."""
    return lambda rounds, dim: {name: min(SPARSITY, max(1, rounds // 2), dim)}
