"""The online LASSO as a scikit-learn regressor."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hdbwk.core.validation import Floats
from hdbwk.estimators.levels import (
    Levels,
    Sparsity,
    checked_levels,
    chosen_sizes,
    one_level,
    several_levels,
    with_room,
)
from hdbwk.estimators.online_ht.engine import Engine, checked_engine, empty_store, learn
from hdbwk.estimators.online_lasso.descent import noise_variance, optimality_gap
from hdbwk.estimators.online_lasso.levels import no_outputs, play_levels
from hdbwk.estimators.online_lasso.output import write_output
from hdbwk.estimators.online_lasso.rounds import LassoSettings, checked_settings, play
from hdbwk.estimators.online_lasso.sums import LassoState, initial_state
from hdbwk.estimators.self_tuning import SelfTuning, checked_sparsity
from hdbwk.estimators.streaming import StreamingRegressor

NONZEROS = 40  # for the store: it keeps up to 16 times as many columns, and is cheaper above 7 times as many features


class OnlineLasso(SelfTuning, StreamingRegressor):
    r"""
    Online LASSO: sparse linear regression that sees each row once.

    After round t the estimator holds the running sums of x x' and x y, and the last iterate, from which it takes one
    sweep of coordinate descent on the LASSO of all rows so far, with the penalty
    :math:`c \hat\sigma \sqrt{\log(d t) / t}` on columns of equal scale. The output has no shrinkage: the s0 strongest
    coordinates, refitted by least squares. It needs about half the rows of `OnlineHT` to find them, and bears
    correlated columns; a round costs O(d^2) and the memory is one d x d matrix, whatever the number of rounds, or
    less with the active engine, and least for sparse matrices, which are read row by row.

    Parameters
    ----------
    sparsity : int, None or "auto", default=10
        s0, the number of non-zero entries of the output ``coef_``; capped at the number of features. None leaves the
        LASSO as it is, or with a `threshold` all entries above it. "auto" chooses among `levels` the one whose
        one-step-ahead predictions had the least squared error, later rows counting for more; in a round one of them is
        refitted, in turn.
    scale : float, default=1
        c of the penalty. The noise level sigma is that of the residuals, so that it needs no tuning to the units.
    sweeps : int, default=1
        Sweeps of coordinate descent in a round.
    threshold : float or None, default=None
        Of the LASSO's entries those with |mu_j| rms_j above `threshold` times sigma are refitted, rms_j being the root
        mean square of the column; at most `sparsity` of them.
    ridge : float, default=1
        How many rows of the prior "0" the refit counts: its system is S_jj (1 + ridge / t) on the diagonal.
    engine : "auto", "gram" or "active", default="auto"
        How the sums are kept. "gram" keeps the d x d matrix. "active" keeps the rows and the columns of that matrix
        which the iterate needs, for d much larger than its number of non-zero entries and not too many rows; a
        coordinate joins once its column is there, the strongest first, so that a round costs O(d) for each entry on
        average. "auto" takes the active engine if d > 280 for each output, and goes over to the matrix when there
        are 2 d rows.
    fit_intercept : bool, default=False
        Whether rows and responses are centred at their running means.
    levels : sequence of int or None, default=None
        What `sparsity` "auto" chooses from; None means 2, 4, 8, 16, 32, 64.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        The sparse estimate.
    lasso_coef_ : ndarray of the shape of ``coef_``
        The LASSO's iterate.
    noise_ : float or ndarray of shape (n_outputs,)
        sigma, the root mean square of the iterate's residuals.
    kkt_residual_ : float or ndarray of shape (n_outputs,)
        How far the iterate is from the LASSO's solution: the largest violation of its optimality conditions, as a
        share of the length of column times that of y. 0 at the solution, at most 1 at zero.
    intercept_ : float or ndarray of shape (n_outputs,)
        Zero without `fit_intercept`.
    sparsity_ : int, None or ndarray of shape (n_outputs,)
        s0, given or chosen.
    sparsity_path_ : ndarray of shape (n_rounds,) or (n_rounds, n_outputs)
        The same after each round.
    prequential_error_ : ndarray of shape (n_levels,) or (n_outputs, n_levels)
        The mean squared one-step-ahead error of each level, if `sparsity` is "auto".
    n_rounds_ : int
        t, the number of rows seen, those of weight 0 included.
    n_features_in_ : int
        d.

    Notes
    -----
    The penalty with its noise level is that of the scaled LASSO (Sun and Zhang 2012); the output is what
    one step of subspace pursuit (Dai and Milenkovic 2009) makes of its s0 largest entries.

    With ``sample_weight`` of ``partial_fit``, the inverse probabilities 1/p of a bandit, t in the penalty is the
    number (sum w)^2 / sum w^2 of equally weighted rows. A row of weight 0 takes another sweep on the sums as they are.

    Results depend on the order of the rows, not on how these are split into calls. A call that is refused leaves the
    estimator as it was. Parameters hold from the first row on: ``partial_fit`` refuses those that ``set_params``
    changed since. Entries may have magnitudes from 1e-60 to 1e60.

    Examples
    --------
    >>> from hdbwk import OnlineLasso, rng
    >>> X = rng(0, "example").standard_normal((300, 50))
    >>> model = OnlineLasso(sparsity=2).fit(X, 3 * X[:, 4] - 2 * X[:, 7])
    >>> model.coef_.nonzero()[0]
    array([4, 7])
    """

    def __init__(
        self,
        sparsity: Sparsity | None = 10,
        scale: float = 1.0,
        sweeps: int = 1,
        threshold: float | None = None,
        ridge: float = 1.0,
        engine: Engine = "auto",
        fit_intercept: bool = False,
        levels: Sequence[int] | None = None,
    ) -> None:
        self.sparsity = sparsity
        self.scale = scale
        self.sweeps = sweeps
        self.threshold = threshold
        self.ridge = ridge
        self.engine = engine
        self.fit_intercept = fit_intercept
        self.levels = levels

    @property
    def lasso_coef_(self) -> Floats:
        """The LASSO's iterate, before it is refitted."""
        check_is_fitted(self)
        return self._shaped(self._state.mu[0].copy())

    @property
    def noise_(self) -> float | Floats:
        """The noise level sigma of each output."""
        return self._of_outputs(lambda k: np.sqrt(noise_variance(self._state, 0, k)))

    @property
    def kkt_residual_(self) -> float | Floats:
        """How far the iterate is from the LASSO's solution."""
        return self._of_outputs(lambda k: optimality_gap(self._state, 0, k, self._settings.scale))

    def _of_outputs(self, number: Any) -> float | Floats:
        """A number for each output; 0 before the first row of positive weight."""
        check_is_fitted(self)
        seen = self._state.weights[0, 0] > 0
        numbers = np.array([number(k) if seen else 0.0 for k in range(self._state.mu.shape[1])])
        return float(numbers[0]) if self._y_ndim == 1 else numbers

    def _checked_settings(self) -> LassoSettings:
        checked_engine(self.engine)
        if self.sparsity is not None or self.levels is not None:
            checked_sparsity(self.sparsity, self.levels)
        return checked_settings(self.sparsity, self.scale, self.sweeps, self.threshold, self.ridge)

    def _start(self, settings: Any, n_outputs: int, dim: int, sparse: bool) -> LassoState:
        store = empty_store(self.engine, n_outputs, dim, min(NONZEROS, dim), sparse)
        state = initial_state(1, n_outputs, dim, store)
        if self.sparsity != "auto":
            return state
        levels = several_levels(checked_levels(self.levels), dim, n_outputs)
        return state._replace(outputs=no_outputs(1, dim, levels))

    def _advance(self, settings: Any, state: Any, X: Any, y: Floats, weights: Floats) -> LassoState:
        scale, sweeps, (_, _, ridge) = settings
        if state.outputs is None:
            return learn(self.engine, state, X, y, weights, play, scale, sweeps)
        outputs = state.outputs
        levels = with_room(outputs.levels, int(outputs.rounds[0]) + X.shape[0])
        state = state._replace(outputs=outputs._replace(levels=levels))
        return learn(self.engine, state, X, y, weights, play_levels, scale, sweeps, state.outputs, ridge)

    def _coefficients(self) -> Floats:
        out = np.zeros_like(self._state.mu[0])
        if self._state.weights[0, 0] > 0:
            sparsity, threshold, ridge = self._settings.output
            chosen = np.full(len(out), sparsity) if self._state.outputs is None else chosen_sizes(self._levels)
            for k in range(len(out)):
                write_output(self._state, 0, k, min(int(chosen[k]), out.shape[1]), threshold, ridge, out[k])
        return out

    @property
    def _levels(self) -> Levels:
        n_outputs = self._state.mu.shape[1]
        return one_level(1, n_outputs) if self._state.outputs is None else self._state.outputs.levels
