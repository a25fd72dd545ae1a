"""The simulations behind the rates ledger."""

import numpy as np
import pytest
from helpers.specs import changed, smoke

from hdbwk import rng
from hdbwk.environments.contexts import PowerDecay
from hdbwk.estimators.registry import OnlineHTParams, make_bank
from hdbwk.experiments.theory.estimation.spec import Allocation, Estimation
from hdbwk.experiments.theory.estimation.trial import allocated, parameters
from hdbwk.textbook.online_ht import online_ht as textbook_online_ht

METHOD = {
    "name": "random",
    "estimator": {"sparsity": 2, "working_sparsity": 4},
    "probability": 0.5,
    "decay": 0.2,
}
ESTIMATION = Estimation(
    seed_label="test",
    dim=12,
    sparsity=2,
    n_arms=1,
    n_outputs=2,
    horizon=60,
    horizons=[20, 60],
    read_every=60,
    noise=0.1,
    correlation=0.5,
    bound=None,
    signal={"low": 0.5, "high": 1.0, "signs": "random"},
    methods={"random": METHOD},
)


def test_estimation_agrees_with_the_textbook_under_random_pulls():
    keys = ("estimation", "test", 3)
    truth = parameters(ESTIMATION, rng(7, *keys, "instance"))[0]
    for_contexts, for_noise = rng(7, *keys, "stream").spawn(2)
    X = PowerDecay(12, 0.5).draw(60, for_contexts)
    Y = X @ truth.T + 0.1 * for_noise.standard_normal((60, 2))
    p = np.minimum(0.5 * np.arange(1, 61) ** -0.2, 1)
    pulled = rng(7, *keys, "allocation").random(60) < p
    errors = [
        ((textbook_online_ht(X, Y[:, k], 2, 4, "normalized", np.where(pulled, 1 / p, 0))[0] - truth[k]) ** 2).sum()
        for k in range(2)
    ]
    last = ESTIMATION.run_trials("random", [3], 7).iloc[-1]
    assert last["t"] == 60
    assert last["largest_error"] == pytest.approx(max(errors), rel=1e-9)
    assert last["mean_error"] == pytest.approx(np.mean(errors), rel=1e-9)


def test_arms_are_pulled_with_their_probability_and_none_otherwise():
    allocation = Allocation(**METHOD | {"probability": 0.2, "decay": 0})
    bank = make_bank(OnlineHTParams(sparsity=1), 3, 1, 5)
    pulls = list(allocated(allocation, bank, np.zeros((4000, 5)), rng(1, "pulls")))
    arms = np.array([arm if weight else -1 for arm, weight in pulls])
    assert np.bincount(arms + 1) / 4000 == pytest.approx([0.4, 0.2, 0.2, 0.2], abs=0.03)
    assert {weight for _, weight in pulls} == {0.0, 5.0}


def test_a_sweep_runs_every_size_and_scales_what_methods_assume():
    sweep = {"key": "sparsity", "values": [1, 4]}
    spec = changed(ESTIMATION, sweep=sweep, methods={"random": {"probability": 1.0}})
    table = spec.run_trials("random", range(2), 1)
    assert set(zip(table["trial"], table["size"], strict=True)) == {(0, 1), (0, 4), (1, 1), (1, 4)}
    sparsities = {size: sized.methods["random"].estimator.working_sparsity for size, sized in spec.sizes()}
    assert sparsities == {1: 2, 4: 8}
    alone = dict(spec.sizes())[4].run_trials("random", range(2), 1)
    assert table[table["size"] == 4]["mean_error"].tolist() == alone["mean_error"].tolist()


def test_the_programme_of_the_first_rounds_comes_closer_to_the_truth():
    spec = smoke("rates_dual", horizons=[30, 600], noise=0.1)
    learning, frozen = (spec.run_trials(method, range(3), 1) for method in ("learning", "frozen"))
    means = learning.groupby("t").mean(numeric_only=True)
    assert means.loc[600, "price_error"] < means.loc[30, "price_error"]
    assert means.loc[600, "value_error"] < 0.1
    assert means.loc[600, "ratio"] == pytest.approx(1, abs=0.15)
    assert frozen[frozen["t"] == 600]["price_error"].mean() > 2 * means.loc[600, "price_error"]


def test_more_capacity_raises_the_offline_optimum():
    spec = smoke("rates_offline")
    plain, generous = (spec.run_trials(method, range(2), 1)["excess"] for method in ("hindsight", "generous"))
    assert (generous > plain).all()
    assert (plain.abs() < 0.5).all()


def test_cost_is_read_at_halvings_of_the_horizon():
    table = smoke("rates_cost_rounds").run_trials("online_ht_s20", [0], 1)
    assert table["t"].tolist() == [25, 50, 100, 200, 400]
    assert (table["seconds_per_round"] > 0).all()
