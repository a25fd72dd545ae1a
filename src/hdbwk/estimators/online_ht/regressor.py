"""Algorithm 1, Online Hard Thresholding with averaged gradient, as a scikit-learn regressor."""

from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from hdbwk.core.validation import LARGEST, Floats, positive_int
from hdbwk.estimators.online_ht.algorithm import State, play
from hdbwk.estimators.online_ht.engine import Engine, checked_engine, start, stretches
from hdbwk.estimators.online_ht.steps import Step, checked_step
from hdbwk.estimators.online_ht.threshold import hard_threshold

AS_FLOATS = {"dtype": np.float64, "order": "C", "multi_output": True, "y_numeric": True}


class OnlineHT(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""
    Online Hard Thresholding: sparse linear regression that sees each row once.

    After round t the estimator holds the running weighted sums of x x' and x y, takes one gradient step
    from :math:`\mu_{t-1}` on the average loss, keeps the s largest entries, and outputs the s0 largest of
    those. A round costs O(d^2) and the memory is one d x d matrix, whatever the number of rounds; or, with
    the active engine, O(d s) amortised and the rows seen. There is no intercept: centre the data first if
    they need one.

    Parameters
    ----------
    sparsity : int, default=10
        s0, the number of non-zero entries of the output ``coef_``; capped at the number of features.
    working_sparsity : int or None, default=None
        s, the number of entries that the iterate keeps between rounds. None means ``2 * sparsity``; capped at
        the number of features. A value below ``sparsity`` is allowed and limits the output.
    step : "normalized", "theory" or float, default="normalized"
        "normalized" minimises the loss along the gradient on the current support, beta_t = |g_S|^2 /
        (2 g_S' Sigma_t g_S). While the iterate is zero, or where the gradient has vanished on its support and
        would bring in other coordinates, S are the s largest entries of the gradient. Where g_S' Sigma_t g_S is below
        a twentieth of g_S' diag(Sigma_t) g_S, as with nearly equal columns, the latter takes its place. "theory" is
        the constant 1 / (4 kappa phi_max) of Theorem 1. A positive float is a constant beta.
    kappa, phi_max : float or None, default=None
        Condition number and largest sparse eigenvalue of the covariance; needed by ``step="theory"`` alone.
    engine : "auto", "gram" or "active", default="auto"
        How the sums are kept; the results agree up to rounding. "gram" keeps the d x d matrix. "active" keeps
        the rows of positive weight and a few columns of that matrix, for d much larger than s and not too
        many rows. "auto" takes the active engine if d > 7 s for each output, and goes over to the matrix
        when there are 2 d rows.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        The exact s0-sparse estimate, line 10 of Algorithm 1.
    working_coef_ : ndarray of the shape of ``coef_``
        The s-sparse iterate, line 9.
    n_rounds_ : int
        t, the number of rows seen, those of weight 0 included.
    n_features_in_ : int
        d.

    Notes
    -----
    ``sample_weight`` of ``partial_fit`` is the inverse probability 1/p of Algorithm 1 and not a number of
    repetitions: a row of weight 2 counts once in t but twice in the sums, and a row of weight 0 (the arm
    was not pulled) advances t and takes a gradient step. Hence weight 2 differs from two equal rows, and
    weight 0 from a missing row, which is why ``fit`` has no ``sample_weight``: scikit-learn's checks of
    sample-weight equivalence cannot hold for it. For one weighted pass call ``partial_fit`` on a new
    estimator.

    Equal entries (up to 1e-12) are thresholded in favour of the lower coordinate, so results are deterministic. They
    depend on the order of the rows, not on how these are split into calls.

    A call that is refused leaves the estimator as it was. Parameters hold from the first row on: ``partial_fit``
    refuses those that ``set_params`` changed since. Entries may have magnitudes from 1e-60 to 1e60.

    Examples
    --------
    >>> from hdbwk import OnlineHT, rng
    >>> X = rng(0, "example").standard_normal((300, 50))
    >>> model = OnlineHT(sparsity=2).fit(X, 3 * X[:, 4] - 2 * X[:, 7])
    >>> model.coef_.nonzero()[0]
    array([4, 7])
    """

    _state: State
    _y_ndim: int

    def __init__(
        self,
        sparsity: int = 10,
        working_sparsity: int | None = None,
        step: Step = "normalized",
        kappa: float | None = None,
        phi_max: float | None = None,
        engine: Engine = "auto",
    ) -> None:
        self.sparsity = sparsity
        self.working_sparsity = working_sparsity
        self.step = step
        self.kappa = kappa
        self.phi_max = phi_max
        self.engine = engine

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Forget everything, then pass once over the rows of X (n, d) and y (n,) or (n, q) in their order."""
        return self._learn(X, y, None, reset=True)

    def partial_fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """
        Take one round of Algorithm 1 for each row, in order.

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
        """Return X times the s0-sparse estimate, of shape (n,) or (n, q)."""
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64) @ self.coef_.T

    @property
    def coef_(self) -> Floats:
        """The estimate, `sparsity` entries of it non-zero."""
        check_is_fitted(self)
        s0 = min(int(self._params["sparsity"]), self.n_features_in_)
        return self._shaped(np.array([hard_threshold(mu, s0) for mu in self._state.mu[0]]))  # line 10

    @property
    def working_coef_(self) -> Floats:
        """The estimate that is carried from round to round, with `working_sparsity` entries."""
        check_is_fitted(self)
        return self._shaped(self._state.mu[0].copy())

    @property
    def n_rounds_(self) -> int:
        """How many rows were seen."""
        check_is_fitted(self)
        return int(self._state.rounds[0])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_state")

    def _learn(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Self:
        params = self._checked_params() if reset else self._unchanged_params()
        rows, targets = X, y
        if reset:
            rows, targets = check_X_y(X, y, estimator=self, **AS_FLOATS)
        elif hasattr(self, "feature_names_in_") or not _is_plain(X, y, self.n_features_in_):
            rows, targets = validate_data(self, X, y, reset=False, **AS_FLOATS)
        weights = _checked_weights(sample_weight, len(rows))
        y_ndim = targets.ndim
        targets = np.ascontiguousarray(targets, dtype=np.float64).reshape(len(rows), -1)
        _check_scales(rows, targets, weights)
        if reset:
            working = min(int(self.working_sparsity or 2 * int(self.sparsity)), rows.shape[1])
            state = start(self.engine, targets.shape[1], rows.shape[1], working)
        elif y_ndim == self._y_ndim and targets.shape[1] == self._state.mu.shape[1]:
            state = self._state
        else:
            raise ValueError(f"y has shape {np.shape(y)}, which does not fit the outputs seen before")
        beta = checked_step(self.step, self.kappa, self.phi_max)
        for state, part in stretches(self.engine, state, weights):  # noqa: B020
            play(state, rows[part], targets[part], weights[part], beta)
        if not np.isfinite(state.mu).all():
            self._report_divergence(state, reset)
        if reset:
            validate_data(self, X, skip_check_array=True)  # sets n_features_in_ and feature_names_in_
        self._state, self._params, self._y_ndim = state, params, y_ndim
        return self

    def _checked_params(self) -> dict[str, Any]:
        positive_int("sparsity", self.sparsity)
        if self.working_sparsity is not None:
            positive_int("working_sparsity", self.working_sparsity)
        checked_step(self.step, self.kappa, self.phi_max)
        checked_engine(self.engine)
        return self.get_params()

    def _unchanged_params(self) -> dict[str, Any]:
        for name, value in self._params.items():
            if getattr(self, name) is not value and getattr(self, name) != value:
                raise ValueError(
                    f"{name} = {getattr(self, name)!r} was {value!r} when the first rows were learnt: "
                    "call fit, or partial_fit on a clone"
                )
        return self._params

    def _report_divergence(self, state: State, reset: bool) -> NoReturn:
        """The rows of a `partial_fit` are in the sums already, so that nothing is left to go on from."""
        if not reset:
            del self._state
        raise FloatingPointError(
            f"OnlineHT diverged by round {state.rounds[0]} with step = {self.step!r}, and must be fitted anew"
            + ("" if self.step == "normalized" else ': use a smaller step or step="normalized"')
        )

    def _shaped(self, coefficients: Floats) -> Floats:
        return coefficients[0] if self._y_ndim == 1 else coefficients


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
    weights = np.array(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n_rows},)")
    bad = weights[~((weights >= 0) & (weights < np.inf))]
    if bad.size:
        raise ValueError(f"sample_weight = {bad[0]} must be finite and at least 0")
    return weights


def _check_scales(X: Floats, y: Floats, weights: Floats) -> None:
    """Refuse magnitudes whose products would over- or underflow."""
    scales = {"X": _largest(X), "sample_weight": _largest(weights), "y": _largest(y)}
    for name, largest in scales.items():
        if largest > LARGEST or (name != "y" and 0 < largest < 1 / LARGEST):
            raise ValueError(
                f"the largest magnitude in {name} is {largest:.3g}, allowed are 0 and {1 / LARGEST:g} to {LARGEST:g}: "
                "rescale it"
            )


def _largest(array: Floats) -> float:
    """The largest magnitude; without a copy, as `np.abs` would make."""
    return float(max(array.max(), -array.min()))
