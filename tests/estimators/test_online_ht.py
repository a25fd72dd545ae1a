"""OnlineHT is Algorithm 1: it equals the textbook, keeps its invariants, refuses bad input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from helpers.forms import FORMS
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hdbwk import OnlineHT, rng
from hdbwk.environments import RecoveryInstance
from hdbwk.estimators.online_ht.gram import BLOCK
from hdbwk.estimators.online_ht.threshold import largest, step_and_threshold
from hdbwk.textbook.online_ht import hard_threshold
from hdbwk.textbook.online_ht import online_ht as textbook_online_ht

THEORY = {"step": "theory", "kappa": 9.0, "phi_max": 3.0}


def regression(seed, n=150, dim=40, sparsity=4, outputs=None, noise=0.5):
    """Sparse data: X, y and the true coefficients."""
    generator = rng(seed, "test regression")
    shape = (dim,) if outputs is None else (outputs, dim)
    mu = np.zeros((outputs or 1, dim))
    for row in mu:
        row[generator.choice(dim, sparsity, replace=False)] = generator.uniform(0.5, 1, sparsity)
    mu = mu.reshape(shape)
    X = generator.standard_normal((n, dim))
    return X, X @ mu.T + noise * generator.standard_normal((n, *shape[:-1])), mu


@parametrize_with_checks([OnlineHT(), OnlineHT(engine="active")])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@pytest.mark.parametrize("step", ["normalized", 0.02, "theory"])
@pytest.mark.parametrize("working_sparsity", [2, 4, 8, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_equals_the_textbook(step, working_sparsity, weighted):
    X, y, _ = regression(3)
    weights = rng(3, "weights").choice([0.0, 1.0, 2.5, 5.0], len(X)) if weighted else None
    params = THEORY if step == "theory" else {"step": step}
    model = OnlineHT(4, working_sparsity, **params).partial_fit(X, y, weights)
    beta = 1 / (4 * 9 * 3) if step == "theory" else step
    output, iterate = textbook_online_ht(X, y, 4, working_sparsity, beta, weights)
    np.testing.assert_allclose(model.coef_, output, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.working_coef_, iterate, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("n", [1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5])
def test_it_equals_the_textbook_wherever_a_block_ends(n):
    X, y, _ = regression(4, n=n)
    output, _ = textbook_online_ht(X, y, 4, 8, "normalized")
    np.testing.assert_allclose(OnlineHT(4, 8).fit(X, y).coef_, output, rtol=1e-8, atol=1e-10)


def test_outputs_are_independent_regressions():
    X, Y, _ = regression(5, outputs=3)
    together = OnlineHT(4).fit(X, Y)
    assert together.coef_.shape == together.working_coef_.shape == (3, X.shape[1])
    for k in range(3):
        np.testing.assert_allclose(together.coef_[k], OnlineHT(4).fit(X, Y[:, k]).coef_, rtol=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    dim=st.integers(1, 30),
    sparsity=st.integers(1, 12),
    working=st.none() | st.integers(1, 30),
    n=st.integers(1, 80),
    data=st.data(),
)
def test_output_is_sparse_and_inside_the_working_support(seed, dim, sparsity, working, n, data):
    X, y, _ = regression(seed, n=n, dim=dim, sparsity=min(2, dim))
    weights = data.draw(st.lists(st.sampled_from([0.0, 1.0, 7.0]), min_size=n, max_size=n))
    model = OnlineHT(sparsity, working).partial_fit(X, y, weights)
    assert np.count_nonzero(model.coef_) <= min(sparsity, dim)
    assert np.count_nonzero(model.working_coef_) <= min(working or 2 * sparsity, dim)
    kept = model.coef_ != 0
    np.testing.assert_array_equal(model.coef_[kept], model.working_coef_[kept])
    assert np.abs(model.working_coef_[~kept]).max(initial=0) <= np.abs(model.coef_[kept]).min(initial=np.inf)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31), cuts=st.lists(st.integers(1, 99), max_size=6))
def test_splitting_rows_changes_nothing(seed, cuts):
    X, y, _ = regression(seed, n=100, outputs=2)
    weights = rng(seed, "weights").choice([0.0, 1.0, 4.0], 100)
    whole = OnlineHT(4).partial_fit(X, y, weights)
    parts = OnlineHT(4)
    for rows in np.split(np.arange(100), sorted(set(cuts))):
        parts.partial_fit(X[rows], y[rows], weights[rows])
    np.testing.assert_array_equal(whole.working_coef_, parts.working_coef_)
    assert whole.n_rounds_ == parts.n_rounds_ == 100


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, -1.0, 2.0, -3.0, 0.5]), min_size=1, max_size=40), st.data())
def test_ties_go_to_the_lower_coordinate(values, data):
    v = np.array(values)
    s = data.draw(st.integers(1, v.size))
    chosen = np.empty(s, dtype=np.int64)
    largest(v, s, chosen)
    np.testing.assert_array_equal(np.sort(chosen), np.sort(np.argsort(-np.abs(v), kind="stable")[:s]))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 6), st.sampled_from([0.1, 0.3, 3.0]))
def test_the_threshold_follows_a_vector_that_moves(seed, d, s, noise):
    s = min(s, d)
    noises = rng(seed, "noises")
    v, mu = noises.integers(-2, 3, d).astype(float), np.zeros(d)
    support, size, chosen = np.zeros(s, dtype=np.int64), 0, np.zeros(s, dtype=np.int64)
    for _ in range(10):
        v = np.round(4 * (v + noise * noises.standard_normal(d))) / 4
        before, gradient = mu.copy(), mu - v
        size, changed = step_and_threshold(gradient, 1.0, mu, support, size, chosen)
        assert changed or np.array_equal(mu, before)
        np.testing.assert_array_equal(gradient, v)
        np.testing.assert_array_equal(mu, hard_threshold(v, s))
        np.testing.assert_array_equal(np.sort(support[:size]), np.flatnonzero(mu))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, -2.0, np.nan, np.inf]), min_size=1, max_size=40), st.data())
def test_vectors_with_entries_that_are_no_numbers_do_not_lead_astray(values, data):
    v = np.array(values)
    s = data.draw(st.integers(1, v.size))
    chosen = np.full(s, -1)
    largest(v, s, chosen)
    assert len(set(chosen)) == s
    assert set(chosen) <= set(range(v.size))


def test_a_round_without_a_pull_advances_time_and_takes_a_step():
    X, y, _ = regression(6)
    model = OnlineHT(4).partial_fit(X[:50], y[:50])
    before = model.working_coef_
    model.partial_fit(X[50:51], y[50:51], [0.0])
    assert model.n_rounds_ == 51
    assert not np.array_equal(model.working_coef_, before)


def test_no_step_is_taken_before_the_first_pull():
    X, y, _ = regression(7)
    model = OnlineHT(4).partial_fit(X[:5], y[:5], np.zeros(5))
    assert not model.coef_.any()
    assert model.n_rounds_ == 5


def test_normalized_step_is_scale_free():
    X, y, _ = regression(8)
    small = OnlineHT(4).fit(X, y).coef_
    np.testing.assert_allclose(OnlineHT(4).fit(1e6 * X, y).coef_ * 1e6, small, rtol=1e-7)
    np.testing.assert_allclose(OnlineHT(4).fit(X, 1e-6 * y).coef_ * 1e6, small, rtol=1e-7)


@pytest.mark.parametrize("engine", ["gram", "active"])
def test_one_hot_rows_are_learnt(engine):
    X = np.eye(5)[rng(0, "one-hot").integers(0, 5, 2000)]
    np.testing.assert_allclose(OnlineHT(5, engine=engine).fit(X, X @ [1, 2, 3, 4, 5]).coef_, [1, 2, 3, 4, 5])


@pytest.mark.parametrize("engine", ["gram", "active"])
@pytest.mark.parametrize("seed", range(20))
def test_nearly_equal_columns_do_not_make_coefficients_explode(engine, seed):
    generator = rng(seed, "nearly equal")
    X = generator.standard_normal((250, 8))
    X[:, 1] = X[:, 0] + 1e-4 * generator.standard_normal(250)
    weights = np.repeat([1.0, 0.0], [50, 200])  # the gradient vanishes but for the difference of the two columns
    model = OnlineHT(2, 2, engine=engine)
    iterates = [model.partial_fit(X[[n]], 3 * X[[n], 0] + 3 * X[[n], 1], weights[[n]]).coef_ for n in range(250)]
    assert np.abs(iterates).max() < 200


@pytest.mark.parametrize("engine", ["gram", "active"])
@pytest.mark.parametrize("scale", [1e-58, 1e-20, 1e20, 1e58])
def test_extreme_scales_of_the_rows_change_nothing_else(engine, scale):
    X, y, _ = regression(18)
    expected = OnlineHT(4, engine=engine).fit(X, y).coef_
    np.testing.assert_allclose(OnlineHT(4, engine=engine).fit(scale * X, y).coef_ * scale, expected, rtol=1e-7)


@pytest.mark.parametrize("engine", ["gram", "active"])
@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda X, y, w: (1e100 * X, y, w), "X"),
        (lambda X, y, w: (1e-100 * X, y, w), "X"),
        (lambda X, y, w: (X, 1e100 * y, w), "y"),
        (lambda X, y, w: (X, y, 1e100 * w), "sample_weight"),
    ],
)
def test_scales_whose_products_leave_the_floats_are_refused(engine, change, name):
    X, y, _ = regression(18)
    with pytest.raises(ValueError, match=f"largest magnitude in {name} is .*e[+-]100, allowed are 0 and 1e-60 to 1e"):
        OnlineHT(4, engine=engine).partial_fit(*change(X, y, np.ones(len(X))))


@pytest.mark.parametrize("engine", ["gram", "active", "auto"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_any_form_of_the_data_gives_the_same_estimate(engine, form):
    X, Y, _ = regression(21, outputs=2)
    weights = rng(21, "weights").choice([0.0, 1.0, 2.5], len(X))
    plain, other = OnlineHT(2, engine=engine), OnlineHT(2, engine=engine)
    for rows in (slice(0, 70), slice(70, 150)):
        plain.partial_fit(X[rows], Y[rows], weights[rows])
        other.partial_fit(form(X[rows]), form(Y[rows]), form(weights[rows]))
    np.testing.assert_array_equal(other.working_coef_, plain.working_coef_)
    np.testing.assert_allclose(other.predict(form(X)), plain.predict(X), rtol=1e-12, atol=1e-12)


def test_error_falls_and_the_support_is_found():
    X, y, mu = regression(9, n=1000, dim=200, sparsity=5)
    model = OnlineHT(5)
    errors = [np.sum((model.partial_fit(X[n : n + 200], y[n : n + 200]).coef_ - mu) ** 2) for n in range(0, 1000, 200)]
    assert errors[-1] < errors[0] / 2
    assert errors[-1] < 3 * 5 * 0.25 / 1000 * np.log(200)
    np.testing.assert_array_equal(model.coef_ != 0, mu != 0)


def test_too_small_a_working_sparsity_cannot_recover():
    X, y, mu = regression(10, n=1000, dim=100, sparsity=10)
    model = OnlineHT(10, working_sparsity=5).fit(X, y)
    assert np.count_nonzero(model.coef_) == 5
    assert np.sum((model.coef_ - mu) ** 2) >= np.sort(mu[mu != 0])[:5] @ np.sort(mu[mu != 0])[:5]


def test_it_pickles_and_continues():
    X, y, _ = regression(11)
    model = OnlineHT(4).fit(X[:77], y[:77])
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.partial_fit(X[77:], y[77:]).coef_, copy.partial_fit(X[77:], y[77:]).coef_)


def test_it_clones_and_works_in_pipelines_and_grid_searches():
    X, y, mu = regression(12, n=400)
    assert clone(OnlineHT(3, 7, 0.1)).get_params()["working_sparsity"] == 7
    pipeline = make_pipeline(StandardScaler(), OnlineHT())
    search = GridSearchCV(pipeline, {"onlineht__sparsity": [1, 4, 20]}, cv=3).fit(X, y)
    assert search.best_params_["onlineht__sparsity"] == np.count_nonzero(mu)


def test_a_step_too_large_is_reported():
    X, y, _ = regression(13, n=500)
    with pytest.raises(FloatingPointError, match=r"step = 50\.0"):
        OnlineHT(4, step=50.0).fit(X, y)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"sparsity": 0}, "sparsity = 0"),
        ({"sparsity": 2.5}, r"sparsity = 2\.5"),
        ({"working_sparsity": -1}, "working_sparsity = -1"),
        ({"step": "fast"}, "step = 'fast'"),
        ({"step": 0.0}, r"step = 0\.0"),
        ({"step": -1.0}, r"step = -1\.0"),
        ({"step": float("nan")}, "step = nan"),
        ({"step": "theory"}, "kappa = None"),
        ({"step": "theory", "kappa": 9.0}, "phi_max = None"),
        ({"engine": "fast"}, "engine = 'fast'"),
        ({"inner_steps": 0}, "inner_steps = 0"),
        ({"refit": "yes"}, "refit = 'yes'"),
    ],
)
def test_bad_parameters_are_named(params, message):
    X, y, _ = regression(14)
    with pytest.raises(ValueError, match=message):
        OnlineHT(**params).fit(X, y)


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
    ],
)
def test_bad_data_are_refused(change, message):
    X, y, _ = regression(15)
    X, y, weights = change(X, y, np.ones(len(X)))
    with pytest.raises(ValueError, match=message):
        OnlineHT(4).partial_fit(X, y, weights)


def fitted_state(model):
    """Everything that an estimator remembers, to be compared."""
    return pickle.dumps({name: value for name, value in vars(model).items() if name not in model.get_params()})


@pytest.mark.parametrize("engine", ["gram", "active", "auto"])
@pytest.mark.parametrize(
    ("params", "data"),
    [
        ({"step": "fast"}, lambda X, y: (np.tile(X, 9), y)),
        ({"sparsity": 0}, lambda X, y: (np.tile(X, 9), y)),
        ({"step": 50.0}, lambda X, y: (np.tile(X, 9), y)),
        ({}, lambda X, y: (1e100 * X[:, :9], y)),
        ({}, lambda X, y: (X[:, :9], y[:-1])),
        ({}, lambda X, y: (pd.DataFrame(X).add_prefix("x"), np.full(len(X), np.nan))),
    ],
)
def test_a_refused_fit_leaves_the_estimator_as_it_was(engine, params, data):
    X, y, _ = regression(19)
    model = OnlineHT(2, engine=engine).fit(X, y)
    before, given = fitted_state(model), model.get_params()
    with pytest.raises((ValueError, FloatingPointError)):
        model.set_params(**params).fit(*data(X, y))
    assert fitted_state(model) == before
    model.set_params(**given).partial_fit(X, y)
    with pytest.raises(ValueError, match="expecting 40 features"):
        model.partial_fit(np.tile(X, 9), y)


@pytest.mark.parametrize(
    "params", [{"sparsity": 3}, {"working_sparsity": 9}, {"step": 0.1}, {"kappa": 2.0}, {"engine": "active"}]
)
def test_parameters_changed_after_the_first_rows_are_refused(params):
    X, y, _ = regression(20)
    model = OnlineHT(2, engine="gram").partial_fit(X[:50], y[:50])
    before = fitted_state(model)
    (name, value), *_ = params.items()
    with pytest.raises(ValueError, match=f"{name} = {value!r} was .* when the first rows were learnt"):
        model.set_params(**params).partial_fit(X[50:], y[50:])
    assert fitted_state(model) == before


def test_an_estimator_that_diverged_must_be_fitted_anew():
    X, y, _ = regression(13, n=500)
    model = OnlineHT(4, step=50.0).partial_fit(X[:1], y[:1])
    with pytest.raises(FloatingPointError, match="fitted anew"):
        model.partial_fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_other_outputs_than_before_are_refused():
    X, Y, _ = regression(16, outputs=3)
    with pytest.raises(ValueError, match="outputs seen before"):
        OnlineHT(4).fit(X, Y).partial_fit(X, Y[:, :2])


@pytest.mark.parametrize("attribute", ["coef_", "working_coef_", "n_rounds_"])
def test_nothing_is_known_before_the_first_row(attribute):
    with pytest.raises(NotFittedError):
        getattr(OnlineHT(), attribute)


@pytest.mark.parametrize("engine", ["gram", "active"])
def test_refitted_entries_are_least_squares_on_their_support(engine):
    X, y, _ = regression(21)
    model = OnlineHT(4, 6, refit=True, inner_steps=2, engine=engine).fit(X, y)
    kept = model.working_coef_ != 0
    assert kept.sum() == 6
    np.testing.assert_allclose(model.working_coef_[kept], np.linalg.lstsq(X[:, kept], y, rcond=None)[0], rtol=1e-6)


def test_pursuit_finds_the_support_with_fewer_rows():
    wrong = {False: 0, True: 0}
    for seed in range(5):
        instance = RecoveryInstance.draw(rng(seed, "pursuit"), 1000, 10)
        stream = instance.sample(100, rng(seed, "pursuit stream"))
        for refit in wrong:
            model = OnlineHT(10, 10, refit=refit, inner_steps=3 if refit else 1)
            found = model.fit(stream.contexts, stream.rewards).coef_ != 0
            wrong[refit] += (found & (instance.mu == 0)).sum()
    assert wrong[True] < wrong[False] / 2


def test_more_steps_without_a_refit_are_rounds_without_a_pull():
    X, y, _ = regression(22)
    several, single = OnlineHT(4, inner_steps=3, engine="gram"), OnlineHT(4, engine="gram")
    several.fit(X, y)
    for x, target in zip(X, y, strict=True):
        single.partial_fit(np.tile(x, (3, 1)), np.full(3, target), [1.0, 0.0, 0.0])
    np.testing.assert_allclose(several.coef_, single.coef_, rtol=1e-8)
