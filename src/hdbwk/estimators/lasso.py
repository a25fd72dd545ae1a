"""The baseline of Section 8.1: a LASSO that is solved anew on all rows so far."""

import math
import warnings
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dgemm
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lasso_path
from sklearn.utils import check_X_y

Floats = NDArray[np.float64]

LARGEST_GRAM = 4000  # columns up to which X'X is kept, which takes 128 MB then


class SequentialLasso:
    """
    LASSO with the penalty of Section 8.1, lambda_t = c sqrt(log(d t) / t), on the rows seen so far.

    It minimises |y - X w|^2 / t + lambda_t |w|_1 by scikit-learn's coordinate descent (whose `alpha` is
    lambda_t / 2), starting from the last solution. Each solution is that of its own problem: how the rows
    are split into calls matters only within the solver's tolerance. The descent is given X'X and X'y, which are running
    sums, so that a coordinate that stays zero costs nothing; with many columns it works on the rows.

    Parameters
    ----------
    scale : float
        c.
    tol, max_iter : float, int
        When scikit-learn stops: at a duality gap of tol |y|^2 / t, or after max_iter sweeps.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    unconverged_ : bool
        Whether the last solve ended at `max_iter` above its tolerance.
    """

    def __init__(self, scale: float = 1.0, tol: float = 1e-4, max_iter: int = 10_000) -> None:
        if not scale > 0:
            raise ValueError(f"scale = {scale} must be positive")
        self.scale, self.tol, self.max_iter = scale, tol, max_iter
        self._n = 0

    def partial_fit(self, X: Floats, y: Floats) -> Self:
        """Append rows, then solve once."""
        self._append(*check_X_y(X, y, dtype=np.float64, y_numeric=True))
        n, dim = self._n, self._rows.shape[1]
        sums = {"precompute": self._gram.T, "Xy": self._moment, "check_input": False} if dim <= LARGEST_GRAM else {}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            _, path, _ = lasso_path(
                self._rows[:n],
                self._targets[:n],
                alphas=[self.scale * math.sqrt(math.log(dim * n) / n) / 2],
                coef_init=self.coef_,
                tol=self.tol,
                max_iter=self.max_iter,
                **sums,
            )
        self.unconverged_ = any(issubclass(w.category, ConvergenceWarning) for w in caught)
        self.coef_: Floats = path[:, 0]
        return self

    def _append(self, X: Floats, y: Floats) -> None:
        """Take the rows into the sums, and into a store that doubles when it is full."""
        if self._n == 0:
            dim = X.shape[1]
            self._rows, self._targets, self.coef_ = np.empty((len(X), dim)), np.empty(len(X)), np.zeros(dim)
            self._gram = np.zeros((dim, dim) if dim <= LARGEST_GRAM else (0, 0), order="F")
            self._moment = np.zeros(dim)
        if X.shape[1] != self._rows.shape[1]:
            raise ValueError(f"X has {X.shape[1]} columns, expected {self._rows.shape[1]}")
        n = self._n + len(X)
        if n > len(self._rows):
            spare = np.empty((n, X.shape[1]))
            self._rows, self._targets = np.vstack([self._rows, spare]), np.append(self._targets, np.empty(n))
        self._rows[self._n : n], self._targets[self._n : n] = X, y
        if self._gram.size:
            self._gram = dgemm(1.0, X.T, X, 1.0, c=self._gram, overwrite_c=True)
        self._moment += X.T @ y
        self._n = n
