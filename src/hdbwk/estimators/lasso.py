"""The baseline of Section 8.1: a LASSO that is solved anew on all rows so far."""

import math
import warnings
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

Floats = NDArray[np.float64]


class SequentialLasso:
    """
    LASSO with the penalty of Section 8.1, lambda_t = c sqrt(log(d t) / t), on the rows seen so far.

    It minimises |y - X w|^2 / t + lambda_t |w|_1 by scikit-learn's coordinate descent (whose `alpha` is
    lambda_t / 2), starting from the last solution. Each solution is that of its own problem: how the rows
    are split into calls matters only within the solver's tolerance.

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
        self.scale = scale
        self._rows: list[Floats] = []
        self._targets: list[Floats] = []
        self._solver = Lasso(fit_intercept=False, warm_start=True, tol=tol, max_iter=max_iter)

    def partial_fit(self, X: Floats, y: Floats) -> Self:
        """Append rows, then solve once."""
        X, y = np.concatenate([*self._rows, X]), np.concatenate([*self._targets, y])
        rounds, dim = X.shape
        self._solver.set_params(alpha=self.scale * math.sqrt(math.log(dim * rounds) / rounds) / 2)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            self._solver.fit(X, y)
        self._rows, self._targets = [X], [y]
        self.unconverged_ = any(issubclass(w.category, ConvergenceWarning) for w in caught)
        self.coef_: Floats = self._solver.coef_.copy()
        return self
