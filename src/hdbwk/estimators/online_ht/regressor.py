"""Algorithm 1, Online Hard Thresholding with averaged gradient, as a scikit-learn regressor."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hdbwk.core.validation import Floats, positive_int
from hdbwk.estimators.levels import Levels, Sparsity, checked_levels, one_level, several_levels, with_room
from hdbwk.estimators.online_ht.algorithm import State, play
from hdbwk.estimators.online_ht.engine import Engine, checked_engine, learn, start
from hdbwk.estimators.online_ht.pursuit import pursue
from hdbwk.estimators.online_ht.steps import Step, checked_step
from hdbwk.estimators.online_ht.threshold import hard_threshold
from hdbwk.estimators.self_tuning import SelfTuning, checked_sparsity
from hdbwk.estimators.streaming import StreamingRegressor, check_flag


class OnlineHT(SelfTuning, StreamingRegressor):
    r"""
    Online Hard Thresholding: sparse linear regression that sees each row once.

    After round t the estimator holds the running weighted sums of x x' and x y, takes one gradient step
    from :math:`\mu_{t-1}` on the average loss, keeps the s largest entries, and outputs the s0 largest of
    those. A round costs O(d^2) and the memory is one d x d matrix, whatever the number of rounds; or, with
    the active engine, O(d s) amortised and the rows seen. Sparse matrices are read row by row, and without an
    intercept a round costs what the entries of its row ask for, beside a few passes over a vector.

    Parameters
    ----------
    sparsity : int or "auto", default=10
        s0, the number of non-zero entries of the output ``coef_``; capped at the number of features. "auto" carries
        the `levels` side by side on the same sums, each with s = s0, and takes the one whose one-step-ahead
        predictions had the least squared error, later rows counting for more.
    working_sparsity : int or None, default=None
        s, the number of entries that the iterate keeps between rounds. None means ``2 * sparsity``; capped at
        the number of features. A value below ``sparsity`` is allowed and limits the output. Must be None if
        `sparsity` is "auto".
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
    inner_steps : int, default=1
        Gradient steps in a round; 1 in the paper.
    refit : bool, default=False
        Whether the entries that the threshold keeps are refitted by least squares, as in hard thresholding pursuit
        (Foucart 2011); with s = s0 and three steps a round supports are found with fewer rows.
    fit_intercept : bool, default=False
        Whether rows and responses are centred at their running means. The paper's algorithm has no intercept.
    levels : sequence of int or None, default=None
        What `sparsity` "auto" chooses from; None means 2, 4, 8, 16, 32, 64.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        The exact s0-sparse estimate, line 10 of Algorithm 1.
    working_coef_ : ndarray of the shape of ``coef_``
        The s-sparse iterate, line 9.
    intercept_ : float or ndarray of shape (n_outputs,)
        Zero without `fit_intercept`.
    sparsity_ : int or ndarray of shape (n_outputs,)
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
    >>> OnlineHT("auto").fit(X, 3 * X[:, 4] - 2 * X[:, 7]).sparsity_
    2
    """

    def __init__(
        self,
        sparsity: Sparsity = 10,
        working_sparsity: int | None = None,
        step: Step = "normalized",
        kappa: float | None = None,
        phi_max: float | None = None,
        engine: Engine = "auto",
        inner_steps: int = 1,
        refit: bool = False,
        fit_intercept: bool = False,
        levels: Sequence[int] | None = None,
    ) -> None:
        self.sparsity = sparsity
        self.working_sparsity = working_sparsity
        self.step = step
        self.kappa = kappa
        self.phi_max = phi_max
        self.engine = engine
        self.inner_steps = inner_steps
        self.refit = refit
        self.fit_intercept = fit_intercept
        self.levels = levels

    @property
    def working_coef_(self) -> Floats:
        """The estimate that is carried from round to round, with `working_sparsity` entries."""
        check_is_fitted(self)
        return self._shaped(self._iterates())

    def _checked_settings(self) -> float:
        """beta_t."""
        checked_sparsity(self.sparsity, self.levels)
        if self.working_sparsity is not None:
            positive_int("working_sparsity", self.working_sparsity)
            if self.sparsity == "auto":
                raise ValueError(f'working_sparsity = {self.working_sparsity} must be None if sparsity is "auto"')
        positive_int("inner_steps", self.inner_steps)
        check_flag("refit", self.refit)
        checked_engine(self.engine)
        return checked_step(self.step, self.kappa, self.phi_max)

    def _start(self, settings: Any, n_outputs: int, dim: int, sparse: bool) -> State:
        if self.sparsity == "auto":
            levels = several_levels(checked_levels(self.levels), dim, n_outputs)
        else:
            levels = one_level(min(int(self.working_sparsity or 2 * int(self.sparsity)), dim), n_outputs)
        return start(self.engine, n_outputs, dim, levels, sparse)

    def _advance(self, settings: Any, state: Any, X: Any, y: Floats, weights: Floats) -> State:
        state = state._replace(levels=with_room(state.levels, int(state.rounds[0]) + X.shape[0]))
        if self.inner_steps == 1 and not self.refit:
            return learn(self.engine, state, X, y, weights, play, settings)
        return learn(self.engine, state, X, y, weights, pursue, settings, int(self.inner_steps), bool(self.refit))

    def _coefficients(self) -> Floats:
        sparsity = self._params["sparsity"]
        if sparsity == "auto":
            return self._iterates()
        s0 = min(int(sparsity), self.n_features_in_)
        return np.array([hard_threshold(mu, s0) for mu in self._iterates()])  # line 10

    def _iterates(self) -> Floats:
        """mu of the level that each response has, of shape (q, d)."""
        best = self._state.levels.best
        return self._state.mu[0, best * best.size + np.arange(best.size)]

    @property
    def _levels(self) -> Levels:
        return self._state.levels

    def _advice(self) -> str:
        """For a step that made the estimates diverge."""
        advice = "" if self.step == "normalized" else ': use a smaller step or step="normalized"'
        return f" with step = {self.step!r}, and must be fitted anew{advice}"
