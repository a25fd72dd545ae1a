"""The engines of OnlineHT differ in what they keep, not in what they find."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdbwk import OnlineHT, rng
from hdbwk.estimators.online_ht.active import SLOTS, Active
from hdbwk.estimators.online_ht.columns import LAG
from hdbwk.estimators.online_ht.engine import COORDINATES, HISTORY
from hdbwk.estimators.online_ht.gram import Gram
from hdbwk.textbook.online_ht import online_ht as textbook_online_ht


def regression(seed, n, dim, outputs=1, noise=0.5):
    """Data with three non-zero coefficients for each output, and weights of which some are 0."""
    generator = rng(seed, "engines")
    mu = np.zeros((outputs, dim))
    mu[:, :3] = generator.uniform(0.5, 1, (outputs, min(3, dim)))
    X = generator.standard_normal((n, dim))
    y = X @ mu.T + noise * generator.standard_normal((n, outputs))
    return X, y, generator.choice([0.0, 1.0, 2.5, 5.0], n)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    dim=st.integers(3, 80),
    working=st.integers(1, 12),
    outputs=st.integers(1, 3),
    n=st.integers(1, 120),
    step=st.sampled_from(["normalized", 0.02]),
    cuts=st.lists(st.integers(1, 119), max_size=4),
)
def test_engines_agree(seed, dim, working, outputs, n, step, cuts):
    X, y, weights = regression(seed, n, dim, outputs)
    models = [OnlineHT(3, working, step, engine=engine) for engine in ("gram", "active", "auto")]
    for model in models:
        for rows in np.split(np.arange(n), sorted({cut for cut in cuts if cut < n})):
            model.partial_fit(X[rows], y[rows], weights[rows])
    for other in models[1:]:
        np.testing.assert_allclose(other.working_coef_, models[0].working_coef_, rtol=1e-8, atol=1e-8)
        np.testing.assert_array_equal(other.working_coef_ != 0, models[0].working_coef_ != 0)


def tied_regression(seed):
    """One-hot, integer, binary or doubled columns, integer coefficients: entries of gradients tie in most rounds."""
    generator = rng(seed, "ties")
    dim, n = generator.integers(2, 40), generator.integers(1, 200)
    integers = generator.integers(-2, 3, (n, dim)).astype(float)
    X = [
        np.eye(dim)[generator.integers(0, dim, n)],
        integers,
        np.abs(integers) // 2,
        np.repeat(integers, 2, axis=1)[:, :dim],
    ][seed % 4]
    mu = np.where(np.arange(dim) < 3, generator.integers(-2, 3, dim), 0)
    y = X @ mu + generator.integers(0, 2) * generator.integers(-1, 2, n)
    working = generator.choice([None, int(generator.integers(1, 20))])
    return X, y, generator.choice([0.0, 1.0, 2.0], n), int(generator.integers(1, 8)), working


def test_engines_and_textbook_agree_where_entries_tie():
    for seed in range(400):
        X, y, weights, sparsity, working = tied_regression(seed)
        gram, active = (
            OnlineHT(sparsity, working, engine=engine).partial_fit(X, y, weights) for engine in ("gram", "active")
        )
        dim = X.shape[1]
        output, iterate = textbook_online_ht(
            X, y, min(sparsity, dim), min(working or 2 * sparsity, dim), "normalized", weights
        )
        for model in (gram, active):
            np.testing.assert_allclose(model.coef_, output, atol=1e-8, err_msg=f"seed {seed}")
            np.testing.assert_allclose(model.working_coef_, iterate, atol=1e-8, err_msg=f"seed {seed}")


@pytest.mark.parametrize("step", ["normalized", 0.02])
@pytest.mark.parametrize("working_sparsity", [2, 8, 60])
def test_the_active_engine_equals_the_textbook(step, working_sparsity):
    X, y, weights = regression(3, 150, 60)
    model = OnlineHT(3, working_sparsity, step, engine="active").partial_fit(X, y[:, 0], weights)
    output, iterate = textbook_online_ht(X, y[:, 0], 3, working_sparsity, step, weights)
    np.testing.assert_allclose(model.coef_, output, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.working_coef_, iterate, rtol=1e-8, atol=1e-10)


def test_columns_that_lose_their_slot_are_summed_again():
    X, y, _ = regression(4, 200, 400, noise=5.0)
    model = OnlineHT(2, 2, engine="active").fit(X, y[:, 0])
    assert (model._state.store.owner >= 0).sum() == SLOTS * 2 + LAG  # all taken, some more than once
    output, _ = textbook_online_ht(X, y[:, 0], 2, 2, "normalized")
    np.testing.assert_allclose(model.coef_, output, rtol=1e-8, atol=1e-10)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    dim=st.integers(3, 120),
    working=st.integers(1, 6),
    outputs=st.integers(1, 3),
    n=st.integers(1, 120),
)
def test_a_column_is_the_sum_of_the_rows_that_it_counts(seed, dim, working, outputs, n):
    X, y, weights = regression(seed, n, dim, outputs, noise=2.0)
    active = OnlineHT(3, working, engine="active").partial_fit(X, y, weights)._state.store
    rows = np.sqrt(weights)[:, None] * X
    rows = rows[weights > 0]
    for column, coordinate, summed in zip(active.columns, active.owner, active.summed, strict=True):
        if coordinate >= 0:
            assert active.slot[coordinate] >= 0
            np.testing.assert_allclose(column, rows[:summed].T @ rows[:summed, coordinate], rtol=1e-9, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31), cuts=st.lists(st.integers(1, 149), max_size=6))
def test_auto_goes_over_to_the_gram_at_the_same_row_however_rows_are_split(seed, cuts):
    dim = COORDINATES + 1
    X, y, weights = regression(seed, 150, dim)
    whole = OnlineHT(1, 1).partial_fit(X, y, weights)
    parts = OnlineHT(1, 1)
    for rows in np.split(np.arange(150), sorted(set(cuts))):
        parts.partial_fit(X[rows], y[rows], weights[rows])
        pulls = np.count_nonzero(weights[: rows[-1] + 1])
        assert isinstance(parts._state.store, Gram if pulls >= HISTORY * dim else Active)
    np.testing.assert_array_equal(whole.working_coef_, parts.working_coef_)


@pytest.mark.parametrize(("dim", "kind"), [(COORDINATES * 2, Gram), (COORDINATES * 2 + 1, Active)])
def test_auto_takes_the_active_engine_for_many_coordinates(dim, kind):
    X, y, _ = regression(5, 10, dim)
    assert isinstance(OnlineHT(1, 2).fit(X, y[:, 0])._state.store, kind)


def test_the_active_engine_pickles_and_continues():
    X, y, _ = regression(6, 100, 50)
    model = OnlineHT(3, engine="active").fit(X[:60], y[:60])
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.partial_fit(X[60:], y[60:]).coef_, copy.partial_fit(X[60:], y[60:]).coef_)


def test_rows_given_to_the_active_engine_are_its_own():
    X, y, _ = regression(7, 60, 50)
    kept, lent = OnlineHT(3, engine="active").fit(X[:30], y[:30]), OnlineHT(3, engine="active")
    first = X[:30].copy()
    lent.fit(first, y[:30])
    first[:] = np.nan
    np.testing.assert_array_equal(kept.partial_fit(X[30:], y[30:]).coef_, lent.partial_fit(X[30:], y[30:]).coef_)
