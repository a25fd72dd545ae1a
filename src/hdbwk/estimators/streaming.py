"""What the regressors of this package share: rows in order, once each, checked before a kernel sees them."""

from abc import abstractmethod
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from hdbwk.core.validation import LARGEST, Floats
from hdbwk.estimators.centring import Means, centred, copied, no_means

AS_FLOATS = {"accept_sparse": "csr", "dtype": np.float64, "order": "C", "multi_output": True, "y_numeric": True}


class StreamingRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """
    A linear regressor that learns from each row once.

    A subclass says what its parameters mean (`_checked_settings`), what it remembers before the first row (`_start`,
    with attributes `mu` and, of shape (1, q + 1, d), `moment`), how rows change that (`_advance`), and what its
    estimate is (`_coefficients`). A call that is refused leaves the estimator as it was.
    """

    fit_intercept: bool
    _means: Means
    _state: Any
    _settings: Any
    _params: dict[str, Any]
    _y_ndim: int
    _rounds: int

    @abstractmethod
    def _checked_settings(self) -> Any:
        """The parameters as the kernels take them; ValueError for bad ones."""

    @abstractmethod
    def _start(self, settings: Any, n_outputs: int, dim: int, sparse: bool) -> Any:
        """The state before the first row, which is a sparse one or not."""

    @abstractmethod
    def _advance(self, settings: Any, state: Any, X: Any, y: Floats, weights: Floats) -> Any:
        """The state after rows X (n, d), a matrix or in csr form, with responses (n, q) and weights (n,)."""

    @abstractmethod
    def _coefficients(self) -> Floats:
        """The estimate, of shape (q, d)."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Forget everything, then pass once over the rows of X (n, d) and y (n,) or (n, q) in their order."""
        return self._learn(X, y, None, reset=True)

    def partial_fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """
        Take one round for each row, in order.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,) or None
            1/p, the inverse of the probability with which the row's arm was pulled; 0 where it was not
            pulled (the row's y is then ignored, but must be finite). None means 1.
        """
        return self._learn(X, y, sample_weight, reset=not self.__sklearn_is_fitted__())

    def predict(self, X: ArrayLike) -> Floats:
        """Return X times the sparse estimate and the intercept, of shape (n,) or (n, q)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        return X @ self.coef_.T + self.intercept_

    @property
    def coef_(self) -> Floats:
        """The sparse estimate."""
        check_is_fitted(self)
        return self._shaped(self._coefficients())

    @property
    def intercept_(self) -> float | Floats:
        """What is predicted for x = 0: zero, unless `fit_intercept`."""
        check_is_fitted(self)
        if not self._params["fit_intercept"]:
            return 0.0
        intercept = self._means.y - self._coefficients() @ self._means.x
        return float(intercept[0]) if self._y_ndim == 1 else intercept

    @property
    def n_rounds_(self) -> int:
        """t, the number of rows seen."""
        check_is_fitted(self)
        return self._rounds

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_state")

    def _learn(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Self:
        settings = self._checked_settings() if reset else self._unchanged_settings()
        check_flag("fit_intercept", self.fit_intercept)
        rows, targets = X, y
        if reset:
            rows, targets = check_X_y(X, y, estimator=self, **AS_FLOATS)
        elif hasattr(self, "feature_names_in_") or not _is_plain(X, y, self.n_features_in_):
            rows, targets = validate_data(self, X, y, reset=False, **AS_FLOATS)
        n_rows, dim = rows.shape
        weights = _checked_weights(sample_weight, n_rows)
        y_ndim = targets.ndim
        targets = np.ascontiguousarray(targets, dtype=np.float64).reshape(n_rows, -1)
        _check_scales(rows, targets, weights)
        if reset:
            sparse = issparse(rows) and not self.fit_intercept
            state = self._start(settings, targets.shape[1], dim, sparse)
            means = no_means(dim, targets.shape[1])
        elif y_ndim == self._y_ndim and targets.shape[1] == self._state.moment.shape[1] - 1:
            state, means = self._state, copied(self._means)
        else:
            raise ValueError(f"y has shape {np.shape(y)}, which does not fit the outputs seen before")
        rounds = n_rows + (0 if reset else self._rounds)
        parts = centred(means, rows, targets, weights) if self.fit_intercept else [(rows, targets, weights)]
        for part in parts:
            state = self._advance(settings, state, *part)
        if not np.isfinite(state.mu).all():
            self._report_divergence(rounds, reset)
        if reset:
            validate_data(self, X, skip_check_array=True)  # sets n_features_in_ and feature_names_in_
            self._params = self.get_params()
        self._state, self._means, self._settings, self._y_ndim = state, means, settings, y_ndim
        self._rounds = rounds
        return self

    def _unchanged_settings(self) -> Any:
        for name, value in self._params.items():
            if getattr(self, name) is not value and getattr(self, name) != value:
                raise ValueError(
                    f"{name} = {getattr(self, name)!r} was {value!r} when the first rows were learnt: "
                    "call fit, or partial_fit on a clone"
                )
        return self._settings

    def _report_divergence(self, rounds: int, reset: bool) -> NoReturn:
        """The rows of a `partial_fit` are in the sums already, so that nothing is left to go on from."""
        if not reset:
            del self._state
        raise FloatingPointError(f"{type(self).__name__} diverged by round {rounds}{self._advice()}")

    def _advice(self) -> str:
        """What to do if the estimates diverge."""
        return ", and must be fitted anew"

    def _shaped(self, coefficients: Floats) -> Floats:
        return coefficients[0] if self._y_ndim == 1 else coefficients


def check_flag(name: str, value: Any) -> None:
    """ValueError for anything but True and False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} = {value!r} must be True or False")


def _is_plain(X: Any, y: Any, n_features: int) -> bool:
    """Whether validation would return the two as they are; it costs more than a round."""
    return (
        type(X) is type(y) is np.ndarray
        and X.dtype == y.dtype == np.float64
        and X.ndim == 2
        and X.shape[1] == n_features
        and X.flags.c_contiguous
        and y.ndim in (1, 2)
        and 0 < len(X) == len(y)
        and bool(np.isfinite(X).all() and np.isfinite(y).all())
    )


def _checked_weights(sample_weight: Any, n_rows: int) -> Floats:
    """The weights as an (n,) array."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n_rows},)")
    if not (np.isfinite(weights) & (weights >= 0)).all():
        bad = weights[~(np.isfinite(weights) & (weights >= 0))][0]
        raise ValueError(f"sample_weight = {bad} must be finite and at least 0")
    return weights


def _check_scales(X: Any, y: Floats, weights: Floats) -> None:
    """Refuse magnitudes whose products would over- or underflow."""
    scales = {"X": _largest(X.data if issparse(X) else X), "sample_weight": _largest(weights), "y": _largest(y)}
    for name, largest in scales.items():
        if largest > LARGEST or (name != "y" and 0 < largest < 1 / LARGEST):
            raise ValueError(
                f"the largest magnitude in {name} is {largest:.3g}, allowed are 0 and {1 / LARGEST:g} to {LARGEST:g}: "
                "rescale it"
            )


def _largest(array: Floats) -> float:
    """The largest magnitude; without a copy, as `np.abs` would make."""
    return float(max(array.max(), -array.min())) if array.size else 0.0
