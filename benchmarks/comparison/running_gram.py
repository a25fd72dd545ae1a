"""The best that scikit-learn can do online: its solvers on a Gram matrix that is kept up to date, O(d^2) a round."""

from abc import ABC, abstractmethod

import numpy as np
from scipy.linalg.blas import dger
from sklearn.linear_model import lasso_path, orthogonal_mp_gram

from benchmarks.comparison.refits import SWEEPS, TOLERANCE, penalty
from benchmarks.comparison.sizes import SPARSITY


class RunningGram(ABC):
    """X'X, X'y and |y|^2 of the rows so far."""

    def __init__(self) -> None:
        self.seen = 0

    def start(self, X: np.ndarray, y: np.ndarray) -> object:
        return self.update(X, y)

    def update(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        if not self.seen:
            self.gram = np.zeros((X.shape[1], X.shape[1]))
            self.moment = np.zeros(X.shape[1])
            self.square = 0.0
            self.coef = np.zeros(X.shape[1])
        if len(X) == 1:
            dger(1.0, X[0], X[0], a=self.gram.T, overwrite_a=1)
        else:
            self.gram += X.T @ X
        self.moment += X.T @ y
        self.square += float(y @ y)
        self.seen += len(X)
        self.coef = self.solve()
        return self.coef

    @abstractmethod
    def solve(self) -> np.ndarray:
        """The estimate of the sums."""


class GramLasso(RunningGram):
    """Coordinate descent on the Gram matrix, from the last solution."""

    def solve(self) -> np.ndarray:
        """The solver looks at the number of rows and at |y|^2, not at the rows."""
        rows = np.broadcast_to(0.0, (self.seen, len(self.coef)))
        targets = np.zeros(self.seen)
        targets[0] = np.sqrt(self.square)
        _, path, _ = lasso_path(
            rows,
            targets,
            alphas=[penalty(self.seen, len(self.coef))],
            precompute=self.gram,
            Xy=self.moment,
            coef_init=self.coef,
            tol=TOLERANCE,
            max_iter=SWEEPS,
            check_input=False,
        )
        return np.ascontiguousarray(path[:, 0])


class GramPursuit(RunningGram):
    """Orthogonal matching pursuit on the Gram matrix, given s0."""

    def solve(self) -> np.ndarray:
        sparsity = min(SPARSITY, max(1, self.seen // 2), len(self.coef))
        return orthogonal_mp_gram(self.gram, self.moment, n_nonzero_coefs=sparsity)
