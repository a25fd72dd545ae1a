"""OnlineLasso follows the LASSO of the rows so far, finds sparse parameters, and refuses bad input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from helpers.children import output_of
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hdbwk import OnlineHT, OnlineLasso, rng
from hdbwk.environments import RecoveryInstance
from hdbwk.estimators.online_lasso.bank import OnlineLassoBank, OnlineLassoParams
from hdbwk.textbook.online_lasso import OnlineLasso as TextbookOnlineLasso


def regression(seed, n=150, dim=40, sparsity=4, outputs=None, noise=0.5):
    """Data with a sparse parameter for each output."""
    generator = rng(seed, "online lasso")
    mu = np.zeros((outputs or 1, dim))
    for row in mu:
        row[generator.choice(dim, sparsity, replace=False)] = generator.choice([-1, 1], sparsity)
    X = generator.standard_normal((n, dim))
    y = X @ mu.T + noise * generator.standard_normal((n, outputs or 1))
    return (X, y[:, 0], mu[0]) if outputs is None else (X, y, mu)


@parametrize_with_checks(
    [OnlineLasso(), OnlineLasso(sparsity=None), OnlineLasso(3, threshold=0.1, sweeps=2, engine="active")]
)
def test_it_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


# --- what is computed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_many_sweeps_give_the_solution_of_the_textbook(seed, weighted):
    X, y, _ = regression(seed, n=90, dim=30)
    weights = rng(seed, "weights").choice([1.0, 2.5, 5.0], 90) if weighted else np.ones(90)
    model, textbook = OnlineLasso(4, sweeps=400), TextbookOnlineLasso(30, 4)
    for n in range(90):
        model.partial_fit(X[[n]], y[[n]], weights[[n]])
        estimate = textbook.update(X[n], y[n], weights[n])
        if n >= 20:  # before, the scaled LASSO may have several solutions
            np.testing.assert_allclose(model.lasso_coef_, textbook.lasso, atol=1e-3)  # a duality gap of 1e-10
            np.testing.assert_allclose(model.coef_, estimate, atol=1e-6)
            assert model.noise_ == pytest.approx(textbook.sigma, rel=1e-3)


@pytest.mark.parametrize("correlation", [0.5, 0.9])
def test_one_sweep_a_round_stays_near_the_solution(correlation):
    """Relative to the solution's length: measured are 0.06 and 0.12 at most from 100 rows on."""
    stream = RecoveryInstance.draw(rng(1, "near"), 100, 5, correlation=correlation).sample(300, rng(1, "near stream"))
    model, textbook = OnlineLasso(5), TextbookOnlineLasso(100, 5)
    for n, (x, y) in enumerate(zip(stream.contexts, stream.rewards, strict=True), start=1):
        model.partial_fit(x[None], [y])
        textbook.X, textbook.y, textbook.w = np.vstack([textbook.X, x]), np.append(textbook.y, y), np.ones(n)
        if n >= 100 and n % 20 == 0:
            solution = textbook.lasso = textbook.solve()
            assert np.linalg.norm(model.lasso_coef_ - solution) < 0.2 * np.linalg.norm(solution)
            if correlation == 0.5:
                np.testing.assert_allclose(model.coef_, textbook.coef(), atol=1e-6)


def test_the_iterate_meets_the_optimality_conditions_after_many_sweeps():
    X, y, _ = regression(2)
    one, many = OnlineLasso().fit(X, y), OnlineLasso(sweeps=200).fit(X, y)
    assert many.kkt_residual_ < 1e-12 < one.kkt_residual_ < 0.05
    w, t = many.lasso_coef_, len(X)
    rms = np.sqrt((X**2).mean(axis=0))
    sigma = np.sqrt(np.mean((y - X @ w) ** 2))
    slope = 2 * X.T @ (X @ w - y) / t / rms
    penalty = sigma * np.sqrt(np.log(40 * t) / t)
    assert many.noise_ == pytest.approx(sigma)
    np.testing.assert_allclose(slope[w != 0], -penalty * np.sign(w[w != 0]), rtol=1e-8)
    assert np.abs(slope[w == 0]).max() <= penalty


def test_it_finds_the_support_with_half_the_rows_of_online_ht():
    wrong = {"lasso": 0, "ht": 0}
    for trial in range(5):
        instance = RecoveryInstance.draw(rng(trial, "support"), 1000, 10)
        stream = instance.sample(100, rng(trial, "support stream"))
        for name, model in {"lasso": OnlineLasso(10), "ht": OnlineHT(10)}.items():
            found = model.fit(stream.contexts, stream.rewards).coef_ != 0
            wrong[name] += (found & (instance.mu == 0)).sum()
    assert wrong["lasso"] <= 1
    assert wrong["ht"] >= 5


def test_the_output_is_least_squares_on_its_support_up_to_the_ridge():
    X, y, mu = regression(4, n=200)
    coef = OnlineLasso(4, ridge=1e-6).fit(X, y).coef_
    np.testing.assert_array_equal(coef != 0, mu != 0)
    expected = np.linalg.lstsq(X[:, mu != 0], y, rcond=None)[0]
    np.testing.assert_allclose(coef[mu != 0], expected, rtol=1e-6)


def test_without_a_sparsity_the_output_is_the_lasso_or_what_is_above_the_threshold():
    X, y, mu = regression(5)
    model = OnlineLasso(None).fit(X, y)
    np.testing.assert_array_equal(model.coef_, model.lasso_coef_)
    assert np.count_nonzero(model.coef_) > 4
    np.testing.assert_array_equal(OnlineLasso(None, threshold=1.0).fit(X, y).coef_ != 0, mu != 0)
    assert np.count_nonzero(OnlineLasso(2, threshold=1.0).fit(X, y).coef_) == 2


def test_outputs_are_regressions_of_their_own():
    X, Y, _ = regression(6, outputs=3)
    together = OnlineLasso(4).fit(X, Y)
    for k in range(3):
        alone = OnlineLasso(4).fit(X, Y[:, k])
        np.testing.assert_allclose(together.coef_[k], alone.coef_, rtol=1e-8, atol=1e-10)
        assert together.noise_[k] == pytest.approx(alone.noise_)
    assert together.predict(X).shape == Y.shape


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31), cuts=st.lists(st.integers(1, 99), max_size=6))
def test_splitting_rows_changes_nothing(seed, cuts):
    X, y, _ = regression(seed, n=100, outputs=2)
    weights = rng(seed, "weights").choice([0.0, 1.0, 4.0], 100)
    whole = OnlineLasso(4).partial_fit(X, y, weights)
    parts = OnlineLasso(4)
    for rows in np.split(np.arange(100), sorted(set(cuts))):
        parts.partial_fit(X[rows], y[rows], weights[rows])
    np.testing.assert_array_equal(whole.lasso_coef_, parts.lasso_coef_)
    assert whole.n_rounds_ == parts.n_rounds_ == 100


@pytest.mark.parametrize("scale", [1e-58, 1e-6, 1e6, 1e58])
def test_units_change_nothing_but_themselves(scale):
    X, y, _ = regression(8)
    expected = OnlineLasso(4).fit(X, y).coef_
    np.testing.assert_allclose(OnlineLasso(4).fit(scale * X, y).coef_ * scale, expected, rtol=1e-7)
    np.testing.assert_allclose(OnlineLasso(4).fit(X, scale * y).coef_ / scale, expected, rtol=1e-7)
    weighted = OnlineLasso(4).partial_fit(X, y, np.full(len(X), scale))
    np.testing.assert_allclose(weighted.coef_, expected, rtol=1e-7)


def test_each_column_may_have_its_own_unit():
    X, y, _ = regression(9)
    units = 10.0 ** np.resize([-6, 0, 6], 40)
    np.testing.assert_allclose(
        OnlineLasso(4).fit(X * units, y).coef_ * units, OnlineLasso(4).fit(X, y).coef_, rtol=1e-7
    )


def test_a_row_of_weight_0_takes_a_sweep_and_adds_nothing():
    X, y, _ = regression(10)
    model = OnlineLasso(4).partial_fit(X[:50], y[:50])
    gap = model.kkt_residual_
    model.partial_fit(X[50:60], y[50:60], np.zeros(10))
    assert model.n_rounds_ == 60
    assert model.kkt_residual_ < gap
    other = OnlineLasso(4).partial_fit(X[:50], y[:50]).partial_fit(-X[50:60], 9 * y[50:60], np.zeros(10))
    np.testing.assert_array_equal(model.lasso_coef_, other.lasso_coef_)


def test_nothing_is_estimated_before_the_first_row_that_counts():
    X, y, _ = regression(11)
    model = OnlineLasso(4).partial_fit(X[:5], y[:5], np.zeros(5))
    assert not model.coef_.any()
    assert model.noise_ == model.kkt_residual_ == 0


@pytest.mark.parametrize("outputs", [1, 3])
def test_engines_agree_once_the_columns_are_there(outputs):
    X, y, _ = regression(21, n=300, dim=60, outputs=outputs)
    gram, active = (OnlineLasso(4, engine=engine).fit(X, y) for engine in ("gram", "active"))
    np.testing.assert_allclose(active.lasso_coef_, gram.lasso_coef_, atol=1e-3)
    np.testing.assert_allclose(active.coef_, gram.coef_, rtol=1e-6)


def test_the_active_engine_solves_the_same_problem():
    X, y, _ = regression(22, n=200, dim=120)
    model = OnlineLasso(4, engine="active").fit(X, y)
    model.partial_fit(np.zeros((400, 120)), np.zeros(400), np.zeros(400))  # sweeps without rows
    assert model.kkt_residual_ < 1e-8


def test_reading_an_estimate_changes_nothing():
    X, y, _ = regression(24, dim=80)
    model = OnlineLasso(4, engine="active").fit(X, y)
    before = fitted_state(model)
    assert np.isfinite([*model.coef_, model.noise_, model.kkt_residual_]).all()
    assert fitted_state(model) == before


def test_the_active_engine_pickles_and_continues():
    X, y, _ = regression(23, n=120, dim=50)
    model = OnlineLasso(3, engine="active").fit(X[:60], y[:60])
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.partial_fit(X[60:], y[60:]).coef_, copy.partial_fit(X[60:], y[60:]).coef_)


# --- odd data ---------------------------------------------------------------------------------------------------------


def test_one_row_and_one_column_are_enough():
    assert OnlineLasso().fit([[2.0]], [3.0]).coef_ == pytest.approx(0.75)  # 1.5 shrunk by a ridge of one row
    assert OnlineLasso(ridge=1e-9).fit([[2.0]] * 50, [3.0] * 50).coef_ == pytest.approx(1.5)
    coef = OnlineLasso(2).fit([[1.0, 0.0, -2.0]], [4.0]).coef_
    assert np.isfinite(coef).all()
    assert coef[1] == 0


def test_columns_of_zeros_or_constants_and_equal_columns_are_no_trouble():
    X, y, mu = regression(12)
    X[:, 5] = 0.0
    X[:, 6] = 3.0
    X[:, 7] = X[:, np.flatnonzero(mu)[0]]
    model = OnlineLasso(4).fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert model.coef_[5] == 0
    assert np.mean((y - model.predict(X)) ** 2) < 2 * np.mean((y - X @ mu) ** 2)


def test_data_without_noise_are_fitted():
    X, _, mu = regression(13)
    np.testing.assert_allclose(OnlineLasso(4, ridge=1e-9).fit(X, X @ mu).coef_, mu, atol=1e-6)
    assert not OnlineLasso(4).fit(X, np.zeros(len(X))).coef_.any()


def test_one_hot_rows_are_learnt():
    X = np.eye(5)[rng(0, "one-hot").integers(0, 5, 2000)]
    np.testing.assert_allclose(OnlineLasso(5, ridge=1e-6).fit(X, X @ [1, 2, 3, 4, 5]).coef_, [1, 2, 3, 4, 5], rtol=1e-5)


# --- the estimator's life ---------------------------------------------------------------------------------------------


def test_it_pickles_and_continues():
    X, y, _ = regression(14)
    model = OnlineLasso(4).fit(X[:77], y[:77])
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.partial_fit(X[77:], y[77:]).coef_, copy.partial_fit(X[77:], y[77:]).coef_)


def test_it_clones_and_works_in_pipelines_and_grid_searches():
    X, y, mu = regression(15, n=400)
    assert clone(OnlineLasso(3, 0.7)).get_params()["scale"] == 0.7
    pipeline = make_pipeline(StandardScaler(), OnlineLasso())
    search = GridSearchCV(pipeline, {"onlinelasso__sparsity": [1, 4, 20]}, cv=3).fit(X, y)
    assert search.best_params_["onlinelasso__sparsity"] == np.count_nonzero(mu)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"sparsity": 0}, "sparsity = 0"),
        ({"sparsity": 2.5}, r"sparsity = 2\.5"),
        ({"scale": 0}, "scale = 0"),
        ({"scale": "x"}, "scale = 'x'"),
        ({"scale": float("nan")}, "scale = nan"),
        ({"sweeps": 0}, "sweeps = 0"),
        ({"threshold": -1.0}, r"threshold = -1\.0"),
        ({"ridge": 0.0}, r"ridge = 0\.0"),
        ({"ridge": True}, "ridge = True"),
        ({"engine": "fast"}, "engine = 'fast'"),
    ],
)
def test_bad_parameters_are_named(params, message):
    X, y, _ = regression(16)
    with pytest.raises(ValueError, match=message):
        OnlineLasso(**params).fit(X, y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y, w: (np.where(X > 2, np.nan, X), y, w), "NaN"),
        (lambda X, y, w: (X, np.where(y > 1, np.inf, y), w), "infinity"),
        (lambda X, y, w: (X[:-1], y, w), "inconsistent"),
        (lambda X, y, w: (X[0], y, w), "2D array"),
        (lambda X, y, w: (X[:0], y[:0], w[:0]), "0 sample"),
        (lambda X, y, w: (X, y, -w), r"sample_weight = -1\.0"),
        (lambda X, y, w: (X, y, w * np.nan), "sample_weight = nan"),
        (lambda X, y, w: (X, y, w[:-1]), r"sample_weight has shape \(149,\)"),
        (lambda X, y, w: (1e100 * X, y, w), "largest magnitude in X"),
    ],
)
@pytest.mark.parametrize("fitted", [False, True])
def test_bad_data_are_refused_and_change_nothing(change, message, fitted):
    X, y, _ = regression(17)
    model = OnlineLasso(4)
    if fitted:
        model.fit(X, y)
    before = fitted_state(model)
    with pytest.raises(ValueError, match=message):
        model.partial_fit(*change(X, y, np.ones(len(X))))
    assert fitted_state(model) == before


def fitted_state(model):
    """Everything that an estimator remembers, to be compared."""
    return pickle.dumps({name: value for name, value in vars(model).items() if name not in model.get_params()})


@pytest.mark.parametrize(
    ("params", "data"),
    [
        ({"scale": -1.0}, lambda X, y: (np.tile(X, 9), y)),
        ({}, lambda X, y: (1e100 * X[:, :9], y)),
        ({}, lambda X, y: (X[:, :9], y[:-1])),
        ({}, lambda X, y: (pd.DataFrame(X).add_prefix("x"), np.full(len(X), np.nan))),
    ],
)
def test_a_refused_fit_leaves_the_estimator_as_it_was(params, data):
    X, y, _ = regression(18)
    model = OnlineLasso(2).fit(X, y)
    before, given = fitted_state(model), model.get_params()
    with pytest.raises(ValueError):
        model.set_params(**params).fit(*data(X, y))
    assert fitted_state(model) == before
    model.set_params(**given).partial_fit(X, y)
    with pytest.raises(ValueError, match="expecting 40 features"):
        model.partial_fit(np.tile(X, 9), y)


@pytest.mark.parametrize("params", [{"sparsity": 3}, {"scale": 2.0}, {"sweeps": 2}, {"threshold": 0.1}, {"ridge": 2.0}])
def test_parameters_changed_after_the_first_rows_are_refused(params):
    X, y, _ = regression(19)
    model = OnlineLasso(2).partial_fit(X[:50], y[:50])
    before = fitted_state(model)
    (name, value), *_ = params.items()
    with pytest.raises(ValueError, match=f"{name} = {value!r} was .* when the first rows were learnt"):
        model.set_params(**params).partial_fit(X[50:], y[50:])
    assert fitted_state(model) == before


def test_other_outputs_than_before_are_refused():
    X, Y, _ = regression(20, outputs=3)
    with pytest.raises(ValueError, match="outputs seen before"):
        OnlineLasso(4).fit(X, Y).partial_fit(X, Y[:, :2])


@pytest.mark.parametrize("attribute", ["coef_", "lasso_coef_", "n_rounds_", "noise_", "kkt_residual_"])
def test_nothing_is_known_before_the_first_row(attribute):
    with pytest.raises(NotFittedError):
        getattr(OnlineLasso(), attribute)


# --- the bank of arms -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", [{}, {"sweeps": 2, "ridge": 4.0}, {"sparsity": None, "threshold": 0.3}])
def test_a_bank_is_a_regression_for_each_arm_and_output(params):
    generator = rng(1, "bank")
    arms, outputs, dim = 3, 2, 25
    bank = OnlineLassoBank(OnlineLassoParams(**{"sparsity": 3} | params), arms, outputs, dim)
    models = [OnlineLasso(**{"sparsity": 3} | params) for _ in range(arms)]
    truth = np.zeros((arms, outputs, dim))
    truth[..., :3] = generator.uniform(0.5, 1.0, (arms, outputs, 3))
    for arm in generator.integers(-1, arms, size=90):
        x = generator.standard_normal(dim)
        targets = truth[arm] @ x + 0.3 * generator.standard_normal(outputs)
        weight = float(generator.choice([1.0, 2.5])) if arm >= 0 else 0.0
        bank.update(x, int(arm), targets, weight)
        if arm >= 0:
            models[arm].partial_fit(x[None], targets[None], [weight])
    np.testing.assert_allclose(bank.coef, [model.coef_ for model in models], rtol=1e-7, atol=1e-9)
    x = generator.standard_normal(dim)
    np.testing.assert_allclose(bank.predict(x), bank.coef @ x)


MISUSE = """
import numpy as np
from hdbwk.estimators.online_lasso.bank import OnlineLassoBank, OnlineLassoParams

GOOD = {"x": np.ones(8), "arm": 0, "targets": np.ones(3), "weight": 1.0}
FAULTS = [
    *({"x": np.ones(dim)} for dim in (0, 1, 7, 9, 100_000)),
    *({"x": x} for x in (np.full(8, np.nan), np.full(8, np.inf), np.ones((8, 1)), np.ones((1, 8)), "x", None, 1.0)),
    *({"arm": arm} for arm in (-2, 2, 10**6, -(10**6), "x", None, 0.0, True, np.ones(1))),
    {"arm": -1},
    *({"targets": targets} for targets in (np.ones(2), np.ones(4), np.ones((3, 1)), 1.0, [1, 2, np.nan], None, "x")),
    *({"weight": weight} for weight in (-1.0, np.nan, np.inf, "x", None)),
]
for fault in FAULTS:
    bank = OnlineLassoBank(OnlineLassoParams(sparsity=2), 2, 3, 8)
    bank.update(**GOOD)
    before = bank.coef
    calls = [lambda: bank.update(**GOOD | fault)] + [lambda: bank.predict(fault["x"])] * ("x" in fault)
    for call in calls:
        try:
            call()
            print("taken:", fault)
        except (ValueError, TypeError):
            assert (bank.coef == before).all()
print("end")
"""


def test_what_does_not_fit_a_bank_is_refused_before_a_kernel_and_changes_nothing():
    assert output_of(MISUSE) == ["end"]
