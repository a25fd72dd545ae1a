"""`sparsity="auto"` chooses among levels by one-step-ahead errors, in one pass over the rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdbwk import OnlineHT, OnlineLasso, rng
from hdbwk.environments import RecoveryInstance
from hdbwk.estimators.levels import FORGET, LEVELS
from hdbwk.estimators.registry import OnlineHTParams, OnlineLassoParams, make_bank

ESTIMATORS = [OnlineHT, OnlineLasso]


def stream(seed, sparsity, dim=120, n=400):
    instance = RecoveryInstance.draw(rng(seed, "levels"), dim, sparsity)
    rows = instance.sample(n, rng(seed, "levels stream"))
    return rows.contexts, rows.rewards, instance.mu


def error(model, mu):
    return float(((model.coef_ - mu) ** 2).sum())


def fixed(kind, level):
    return kind(level, working_sparsity=level) if kind is OnlineHT else kind(level)


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("sparsity", [3, 10, 30])
def test_it_errs_at_most_a_third_more_than_the_best_fixed_level(kind, sparsity):
    """On average over streams; the best level is chosen in hindsight, by the truth."""
    errors = {level: [] for level in (*LEVELS, "auto")}
    for seed in range(8):
        X, y, mu = stream(seed, sparsity)
        for level in LEVELS:
            errors[level].append(error(fixed(kind, level).fit(X, y), mu))
        errors["auto"].append(error(kind("auto").fit(X, y), mu))
    means = {level: np.mean(values) for level, values in errors.items()}
    assert means["auto"] <= 1.3 * min(means[level] for level in LEVELS)


@pytest.mark.parametrize("kind", ESTIMATORS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), cut=st.integers(1, 79))
def test_splitting_the_rows_changes_nothing(kind, seed, cut):
    X, y, _ = stream(seed, 4, dim=30, n=80)
    whole = kind("auto").fit(X, y)
    parts = kind("auto").partial_fit(X[:cut], y[:cut]).partial_fit(X[cut:], y[cut:])
    np.testing.assert_allclose(parts.coef_, whole.coef_, atol=1e-10)
    np.testing.assert_array_equal(parts.sparsity_path_, whole.sparsity_path_)
    np.testing.assert_allclose(parts.prequential_error_, whole.prequential_error_)


def test_the_errors_are_those_of_fixed_levels_one_step_ahead():
    X, y, _ = stream(1, 4, dim=30, n=60)
    model = OnlineHT("auto", engine="gram")
    levels = [OnlineHT(level, working_sparsity=level, engine="gram") for level in (2, 4, 8, 16, 30)]
    errors, weight = np.zeros(5), 0.0
    for n in range(60):
        forecasts = [fixed.predict(X[[n]])[0] if n else 0.0 for fixed in levels]
        share = max(1 - FORGET / (n + 1), 0)
        errors, weight = share * errors + (y[n] - np.array(forecasts)) ** 2, share * weight + 1
        for estimator in (model, *levels):
            estimator.partial_fit(X[[n]], y[[n]])
    np.testing.assert_allclose(model.prequential_error_, errors / weight)
    best = int(np.argmin(errors))
    assert model.sparsity_ == (2, 4, 8, 16, 30)[best] == model.sparsity_path_[-1]
    np.testing.assert_allclose(model.coef_, levels[best].coef_, atol=1e-12)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_each_output_has_a_level_of_its_own(kind):
    generator = rng(3, "outputs")
    X = generator.standard_normal((500, 80))
    mu = np.zeros((2, 80))
    mu[0, :2], mu[1, :30] = 1.0, 1.0
    model = kind("auto").fit(X, X @ mu.T + 0.3 * generator.standard_normal((500, 2)))
    assert list(model.sparsity_) == [2, 32]
    assert model.sparsity_path_.shape == (500, 2)
    assert model.prequential_error_.shape == (2, 6)


@pytest.mark.parametrize("params", [OnlineHTParams, OnlineLassoParams])
def test_a_bank_of_arms_chooses_too(params):
    generator = rng(5, "bank levels")
    truth = np.zeros((2, 2, 60))
    truth[:, :, :8] = generator.uniform(0.5, 1, (2, 2, 8))
    bank = make_bank(params(sparsity="auto"), 2, 2, 60)
    for _ in range(800):
        arm, x = int(generator.integers(2)), generator.standard_normal(60)
        bank.update(x, arm, truth[arm] @ x + 0.2 * generator.standard_normal(2), 1.0)
    assert list(bank.sparsity) == [8, 8]
    np.testing.assert_allclose(bank.coef, truth, atol=0.1)
    np.testing.assert_allclose(bank.predict(x), bank.coef @ x)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_levels_beyond_the_features_are_capped(kind):
    X, y, _ = stream(1, 3, dim=5, n=50)
    assert kind("auto").fit(X, y).prequential_error_.shape == (3,)  # 2, 4, 5


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"sparsity": "best"}, "sparsity = 'best' must be \"auto\" or an integer"),
        ({"sparsity": "auto", "levels": [4, 2]}, r"levels = \[4, 2\] must increase"),
        ({"sparsity": "auto", "levels": []}, "must be a list of integers"),
        ({"sparsity": "auto", "levels": [0, 2]}, r"levels\[0\] = 0"),
        ({"sparsity": 3, "levels": [2, 4]}, 'levels = .* needs sparsity="auto"'),
    ],
)
def test_levels_that_make_no_sense_are_refused(kind, params, message):
    with pytest.raises(ValueError, match=message):
        kind(**params).fit(np.eye(4), np.ones(4))


def test_what_auto_replaces_is_refused():
    with pytest.raises(ValueError, match="working_sparsity = 4 must be None"):
        OnlineHT("auto", working_sparsity=4).fit(np.eye(4), np.ones(4))
    with pytest.raises(ValueError, match=r"threshold = 0\.1 must be None"):
        OnlineLasso("auto", threshold=0.1).fit(np.eye(4), np.ones(4))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_given_level_has_no_path(kind):
    model = kind(2).fit(np.eye(4), np.ones(4))
    assert model.sparsity_ == 2
    with pytest.raises(AttributeError, match="prequential_error_ needs"):
        model.prequential_error_  # noqa: B018
