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
    plain, generous = (spec.run_trials(method, range(2), 1)["ratio"] for method in ("hindsight", "generous"))
    assert (generous > plain).all()
    assert ((plain - 1).abs() < 0.5).all()


@pytest.mark.parametrize("method", ["hindsight", "degenerate", "atoms"])
def test_no_offline_optimum_exceeds_the_dual_of_its_stream(method):
    gap = smoke("rates_offline").run_trials(method, range(3), 1)["gap"]
    assert (gap > -1e-6).all()


def test_a_degenerate_capacity_costs_more_where_contexts_have_atoms():
    streams = {"degenerate": {"streams": 6}, "atoms": {"streams": 20}}
    spec = smoke("rates_offline", horizons=[100, 6400], methods=streams, fluid_contexts=200_000)
    density, atoms = (
        spec.run_trials(method, range(8), 1).groupby("t")["gap"].mean() for method in ("degenerate", "atoms")
    )
    assert atoms[6400] / atoms[100] > 4  # of order sqrt(T)
    assert density[6400] / density[100] < 3


def test_the_gradient_changes_in_proportion_to_the_prices_unless_contexts_have_atoms():
    spec = smoke("rates_local", radii=[0.005, 0.16], fluid_contexts=20_000, capacity_scale=0.5)
    spec = changed(spec, methods={"atoms": {"atoms": 60}})
    density, atoms = (
        spec.run_trials(method, range(6), 1).groupby("t")["gradient_change"].mean() for method in ("density", "atoms")
    )
    assert density[1 / 0.16] / density[1 / 0.005] == pytest.approx(32, rel=0.25)
    assert atoms[1 / 0.16] / atoms[1 / 0.005] < 12


def test_the_binding_set_does_not_change_in_the_region_of_its_lemma_but_far_from_it():
    table = smoke("rates_local", radii=[0.02, 1.0]).run_trials("density", range(3), 1)
    assert (table["binding_sets_inside"] == 1).all()
    assert table[table["t"] == 1]["binding_sets"].max() > 1


def test_rows_choose_the_sparsity():
    rules = {rule: {"candidates": [2, 4, 8, 16]} for rule in ("validation", "stability")}
    spec = smoke("rates_selection", horizon=600, noise=0.1, methods=rules)
    sparsities = {rule: spec.run_trials(rule, range(3), 1)["sparsity"] for rule in ("known", "validation", "stability")}
    assert (sparsities["known"] == 4).all()
    assert (sparsities["stability"] == 4).all()
    assert (sparsities["validation"] >= 4).all()


def test_scarcer_capacities_raise_the_ratio():
    table = smoke("rates_cbwk_scarce").run_trials("primal_dual_eps_s10", [0], 1)
    ratios = table[table["t"] == table["t"].max()].set_index("size")["ratio"]
    assert ratios.sort_index(ascending=False).is_monotonic_increasing


def test_the_first_trials_alone_play_long_horizons():
    spec = smoke("cbwk")
    few = spec.model_copy(update={"methods": {"primal_dual_s10": spec.methods["primal_dual_s10"]}})
    table = few.run_trials("primal_dual_s10", [0, spec.long_trials], 1)
    played = {trial: set(rows["horizon"]) for trial, rows in table.groupby("trial")}
    assert played == {0: set(spec.all_horizons()), spec.long_trials: {spec.horizon, *spec.horizons}}


def test_what_online_ht_remembers_does_not_grow_and_what_lasso_remembers_does():
    spec = smoke("rates_cost_rounds")
    ours, lasso = (spec.run_trials(method, [0], 1)["bytes"].to_numpy() for method in ("online_ht_s20", "lasso_c1"))
    assert (ours == 8 * spec.dim**2 + (ours - 8 * spec.dim**2)[0]).all()
    assert (np.diff(lasso) > 0).all()


def test_cost_is_read_at_halvings_of_the_horizon():
    table = smoke("rates_cost_rounds").run_trials("online_ht_s20", [0], 1)
    assert table["t"].tolist() == [25, 50, 100, 200, 400]
    assert (table["seconds_per_round"] > 0).all()
