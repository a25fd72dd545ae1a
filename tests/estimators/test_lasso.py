"""The LASSO baseline solves the problem that it states, and says when it did not."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from hdbwk import rng
from hdbwk.environments import RecoveryInstance
from hdbwk.estimators import OnlineHT, SequentialLasso, make_estimator


@pytest.fixture
def stream():
    return RecoveryInstance.draw(rng(2, "lasso"), dim=80, sparsity=4).sample(120, rng(2, "lasso stream"))


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_solution_meets_the_optimality_conditions(stream, scale):
    """0 is in the subgradient of |y - Xw|^2 / t + lambda |w|_1 with lambda = c sqrt(log(dt) / t)."""
    X, y = stream.contexts, stream.rewards
    w = SequentialLasso(scale, tol=1e-12).partial_fit(X, y).coef_
    penalty = scale * np.sqrt(np.log(80 * 120) / 120)
    gradient = 2 * X.T @ (X @ w - y) / 120
    active = w != 0
    np.testing.assert_allclose(gradient[active], -penalty * np.sign(w[active]), atol=1e-5)
    assert np.abs(gradient[~active]).max() <= penalty * (1 + 1e-6)


def test_how_the_rows_arrive_does_not_matter(stream):
    X, y = stream.contexts, stream.rewards
    at_once = SequentialLasso(1.0, tol=1e-12).partial_fit(X, y)
    in_parts = SequentialLasso(1.0, tol=1e-12).partial_fit(X[:50], y[:50]).partial_fit(X[50:], y[50:])
    np.testing.assert_allclose(at_once.coef_, in_parts.coef_, atol=1e-6)


@pytest.mark.parametrize("largest_gram", [4000, 0])
@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_solutions_are_those_of_scikit_learn(stream, scale, largest_gram, monkeypatch):
    monkeypatch.setattr("hdbwk.estimators.lasso.LARGEST_GRAM", largest_gram)
    ours = SequentialLasso(scale, tol=1e-14)
    for t in range(10, 121, 10):
        X, y = stream.contexts[:t], stream.rewards[:t]
        ours.partial_fit(X[t - 10 :], y[t - 10 :])
        alpha = scale * np.sqrt(np.log(80 * t) / t) / 2
        theirs = Lasso(alpha, fit_intercept=False, tol=1e-14, max_iter=100_000).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)


def test_a_solve_that_does_not_converge_is_flagged(stream):
    X, y = stream.contexts, stream.rewards
    assert SequentialLasso(0.01, tol=1e-12, max_iter=2).partial_fit(X, y).unconverged_
    assert not SequentialLasso(1.0).partial_fit(X, y).unconverged_


@pytest.mark.parametrize("change", [lambda X, y: (X[:, :9], y), lambda X, y: (X, y[:-1]), lambda X, y: (X, y * np.nan)])
def test_a_refused_call_leaves_the_rows_as_they_were(stream, change):
    X, y = stream.contexts, stream.rewards
    disturbed, usual = (SequentialLasso().partial_fit(X[:50], y[:50]) for _ in range(2))
    with pytest.raises(ValueError):
        disturbed.partial_fit(*change(X[50:], y[50:]))
    np.testing.assert_array_equal(disturbed.partial_fit(X[50:], y[50:]).coef_, usual.partial_fit(X[50:], y[50:]).coef_)


def test_rows_that_were_given_are_its_own(stream):
    X, y = stream.contexts, stream.rewards
    lent = X[:50].copy()
    borrower, usual = SequentialLasso().partial_fit(lent, y[:50]), SequentialLasso().partial_fit(X[:50], y[:50])
    lent[:] = 0.0
    np.testing.assert_array_equal(borrower.partial_fit(X[50:], y[50:]).coef_, usual.partial_fit(X[50:], y[50:]).coef_)


def test_a_bad_scale_is_named():
    with pytest.raises(ValueError, match="scale = 0"):
        SequentialLasso(scale=0)


def test_estimators_are_made_by_name():
    assert isinstance(make_estimator("online_ht", sparsity=3), OnlineHT)
    with pytest.raises(ValueError, match="'ridge' is unknown; there are lasso, online_ht"):
        make_estimator("ridge")
