"""What real tables ask for: sparse matrices, intercepts, and a place among scikit-learn's tools."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import config_context
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hdbwk import OnlineHT, OnlineLasso, rng
from hdbwk.estimators.online_ht.sparse import Sparse

ESTIMATORS = [OnlineHT, OnlineLasso]


def table(seed, n=150, dim=60, density=0.2, outputs=None):
    generator = rng(seed, "tables")
    X = generator.standard_normal((n, dim)) * (generator.random((n, dim)) < density)
    mu = np.zeros((outputs or 1, dim))
    mu[:, :4] = generator.uniform(1, 2, (outputs or 1, 4))
    y = X @ mu.T + 0.1 * generator.standard_normal((n, outputs or 1))
    return X, y[:, 0] if outputs is None else y


@parametrize_with_checks(
    [
        OnlineHT("auto", levels=[1, 2]),
        OnlineHT(2, fit_intercept=True),
        OnlineLasso("auto", fit_intercept=True),
        OnlineLasso("auto", levels=[1, 3], engine="active"),
    ]
)
def test_they_are_scikit_learn_estimators(estimator, check):
    check(estimator)


# --- sparse rows ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ESTIMATORS)
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    engine=st.sampled_from(["gram", "active", "auto"]),
    sparsity=st.sampled_from([4, "auto"]),
    outputs=st.sampled_from([None, 2]),
    intercept=st.booleans(),
)
def test_sparse_equals_dense(kind, seed, engine, sparsity, outputs, intercept):
    X, y = table(seed, outputs=outputs)
    weights = rng(seed, "weights").choice([0.0, 1.0, 2.0], len(X))
    kind_of = {"sparsity": sparsity, "engine": engine, "fit_intercept": intercept}
    if kind is OnlineLasso and engine != "gram":
        kind_of["engine"] = "auto"  # the active engine takes columns up one by one, and so joins coordinates later
    a, b = kind(**kind_of), kind(**kind_of)
    for part in (slice(0, 1), slice(1, 40), slice(40, None)):
        a.partial_fit(X[part], y[part], weights[part])
        b.partial_fit(sparse.csr_array(X[part]), y[part], weights[part])
    np.testing.assert_allclose(b.coef_, a.coef_, atol=1e-8)
    np.testing.assert_allclose(b.predict(sparse.csr_matrix(X)), a.predict(X), atol=1e-8)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_sparse_and_dense_rows_can_be_mixed(kind):
    X, y = table(1, dim=400)
    rows = [sparse.csr_array(X[:70]), X[70:]]
    for first, second in ((0, 1), (1, 0)):
        parts = (slice(0, 70), slice(70, None))
        model = kind(4).partial_fit(rows[first], y[parts[first]]).partial_fit(rows[second], y[parts[second]])
        order = np.r_[parts[first], parts[second]]
        np.testing.assert_allclose(model.coef_, kind(4, engine="gram").fit(X[order], y[order]).coef_, atol=1e-6)


def test_sparse_rows_are_kept_sparse():
    X = sparse.random_array((50, 20_000), density=0.001, random_state=0, format="csr")
    store = OnlineHT(3).fit(X, np.ones(50))._state.store
    assert isinstance(store, Sparse)
    assert sum(part.nbytes for part in store) < 1_000_000


def test_the_matrix_replaces_a_long_history_of_sparse_rows():
    X, y = table(2, n=300, dim=40)
    long = OnlineHT(2).fit(sparse.csr_array(X), y)
    assert not isinstance(long._state.store, Sparse)
    np.testing.assert_allclose(long.coef_, OnlineHT(2, engine="gram").fit(X, y).coef_, atol=1e-8)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_entries_that_are_stored_twice_count_as_their_sum(kind):
    X, y = table(3)
    once = sparse.csr_array(X)
    parts = (np.repeat(once.data / 2, 2), np.repeat(once.indices, 2), 2 * once.indptr)
    halves = sparse.csr_array(parts, shape=X.shape)
    assert halves.nnz == 2 * once.nnz
    np.testing.assert_allclose(kind(4).fit(halves, y).coef_, kind(4).fit(X, y).coef_, atol=1e-8)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_gap_in_a_sparse_matrix_is_refused(kind):
    X = sparse.csr_array(np.eye(4))
    X.data[2] = np.nan
    with pytest.raises(ValueError, match="X contains NaN"):
        kind(2).fit(X, np.ones(4))


# --- intercept --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ESTIMATORS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), shift=st.floats(-100, 100), weighted=st.booleans())
def test_an_intercept_keeps_the_sums_of_centred_rows(kind, seed, shift, weighted):
    X, y = table(seed, density=1.0)
    X, y = X + shift, y - 3 * shift
    w = rng(seed, "weights").choice([0.0, 1.0, 2.5], len(X)) if weighted else np.ones(len(X))
    model = kind(4, engine="gram", fit_intercept=True).partial_fit(X, y, w)
    Xc, yc = X - np.average(X, axis=0, weights=w), y - np.average(y, weights=w)
    moment = model._state.moment[0]
    np.testing.assert_allclose(moment[0], (w * yc) @ Xc, atol=1e-6)
    np.testing.assert_allclose(moment[1], w @ Xc**2, atol=1e-6)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_an_intercept_equals_centring(kind):
    """Rows of weight 0 take more steps on the same sums, to whose minimum both come."""
    X, y = table(4, density=1.0)
    rest = np.zeros((400, X.shape[1]))
    model = kind(4, fit_intercept=True).fit(X + 5, y + 7).partial_fit(rest, rest[:, 0], rest[:, 0])
    centred = kind(4).fit(X - X.mean(axis=0), y - y.mean()).partial_fit(rest, rest[:, 0], rest[:, 0])
    np.testing.assert_allclose(model.coef_, centred.coef_, atol=1e-3 if kind is OnlineLasso else 1e-8)
    assert model.intercept_ == pytest.approx(y.mean() + 7 - (X.mean(axis=0) + 5) @ model.coef_)
    np.testing.assert_allclose(model.predict(X + 5).mean(), y.mean() + 7)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_without_an_intercept_there_is_none(kind):
    assert kind(2).fit(np.eye(4), np.ones(4)).intercept_ == 0
    with pytest.raises(ValueError, match="fit_intercept = 1 must be True or False"):
        kind(2, fit_intercept=1).fit(np.eye(4), np.ones(4))


# --- among scikit-learn's tools ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_pipeline_scales_first(kind):
    X, y = table(5, density=1.0)
    assert make_pipeline(StandardScaler(), kind("auto", fit_intercept=True)).fit(100 * X + 9, y + 4).score(
        100 * X + 9, y + 4
    ) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_grid_search_finds_the_sparsity(kind):
    X, y = table(6, n=300)
    search = GridSearchCV(kind(), {"sparsity": [1, 4, "auto"]}, cv=3).fit(sparse.csr_array(X), y)
    assert search.best_params_["sparsity"] in (4, "auto")


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_features_are_selected_by_their_coefficients(kind):
    X, y = table(7)
    selector = SelectFromModel(kind(4), threshold=1e-6).fit(X, y)
    assert list(selector.get_support(indices=True)) == [0, 1, 2, 3]


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_weights_are_routed_to_partial_fit(kind):
    X, y = table(8)
    weights = np.r_[np.ones(100), np.zeros(50)]
    with config_context(enable_metadata_routing=True):
        inner = kind(4).set_partial_fit_request(sample_weight=True)
        selector = SelectFromModel(inner, threshold=1e-6).partial_fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(selector.estimator_.coef_, kind(4).partial_fit(X, y, weights).coef_)
