"""What the experiments behind the rates ledger record, and how arms are pulled in them."""

import numpy as np
import pandas as pd
import pytest
from helpers.specs import plan as smoke_plan

from hdbwk import rng
from hdbwk.environments.contexts import PowerDecay
from hdbwk.estimators.registry import make_bank
from hdbwk.experiments.cbwk import terms
from hdbwk.experiments.cbwk.law import benchmarks, read_benchmarks
from hdbwk.experiments.registry import experiment
from hdbwk.experiments.theory.estimation.spec import Allocation
from hdbwk.experiments.theory.estimation.trial import allocated, oracle_error
from hdbwk.metrics.decomposition import TERMS

ESTIMATOR = {"name": "online_ht", "sparsity": 2, "working_sparsity": 4}


@pytest.fixture(scope="module")
def plan():
    return smoke_plan("smoke.yaml")


@pytest.fixture(scope="module")
def errors(plan):
    spec = plan.experiments["rates_estimation"]
    return spec.run_trials("always", range(2), plan.seed)


def allocation(**params):
    return Allocation(estimator=ESTIMATOR, **params)


def test_errors_are_ordered_as_their_names_say(errors):
    assert (errors["mean_error"] <= errors["high_error"]).all()
    assert (errors["high_error"] <= errors["largest_error"]).all()
    assert (errors["mean_error"] <= errors["worst_row"]).all()
    assert np.allclose(errors["worst_row"], errors["largest_error"])  # there is one arm


def test_the_oracle_is_hard_to_beat(errors):
    last = errors[errors["t"] == errors["t"].max()]
    assert (last["oracle_error"] <= 1.5 * last["mean_error"]).all()


def test_the_oracle_takes_least_squares_on_the_support():
    X = PowerDecay(6, 0.5).draw(200, rng(1))
    truth = np.zeros((1, 1, 6))
    truth[0, 0, [1, 4]] = 1.0
    noise = rng(2).standard_normal((200, 1))
    by_hand = np.linalg.lstsq(X[:, [1, 4]], X @ truth[0, 0] + noise[:, 0])[0] - 1
    error = oracle_error(X, noise, np.zeros(200, dtype=int), np.ones(200), truth)
    assert error == pytest.approx((by_hand**2).sum())


def test_epsilon_greedy_pulls_the_best_arm_and_explores_with_its_probability():
    X = PowerDecay(8, 0.5).draw(4000, rng(3))
    bank = make_bank(allocation(name="greedy").estimator, 3, 1, 8)
    pulls = list(allocated(allocation(name="epsilon_greedy", probability=0.1), bank, X, rng(4)))
    weights = np.array([weight for _, weight in pulls])
    assert set(np.round(weights, 6)) == {round(1 / 0.8, 6), round(1 / 0.1, 6)}
    assert np.mean(weights > 5) == pytest.approx(0.2, abs=0.03)  # K - 1 arms with probability 0.1
    assert np.mean(weights) == pytest.approx(3, abs=0.25)  # each arm counts once in the mean


def test_weights_may_be_left_out():
    X = PowerDecay(8, 0.5).draw(100, rng(5))
    bank = make_bank(allocation(name="greedy").estimator, 3, 1, 8)
    params = allocation(name="epsilon_greedy", probability=0.1, weighted=False)
    assert {weight for _, weight in allocated(params, bank, X, rng(6))} == {1.0}


def test_rewards_of_unit_size_do_not_grow_with_the_sparsity(plan):
    sizes = dict(plan.experiments["rates_bandit_sparsity"].sizes())
    spreads = [
        np.mean([(spec.instance(i, 1).mu ** 2).sum(axis=1).mean() for i in range(20)]) for spec in sizes.values()
    ]
    assert max(spreads) < 1.2 * min(spreads)


def test_a_sweep_over_the_noise_changes_the_noise_alone(plan):
    sizes = dict(plan.experiments["rates_estimation_noise"].sizes())
    assert {size: spec.noise for size, spec in sizes.items()} == {size: size for size in sizes}
    assert len({spec.dim for spec in sizes.values()}) == 1


def test_the_terms_of_every_reading_sum_to_its_regret(plan):
    spec = plan.experiments["cbwk"]
    table = spec.run_trials("primal_dual_s10", [0], plan.seed)
    np.testing.assert_allclose(table[list(TERMS)].sum(axis=1), table["regret"], rtol=0, atol=1e-9)
    assert (table["largest_error"] > 0).all()


def test_benchmarks_that_were_written_are_those_that_are_computed(plan):
    spec = plan.experiments["rates_cbwk_resources"]
    written = read_benchmarks(benchmarks(spec.fluid(), [0], plan.seed))
    assert {size for _, size in written} == set(spec.sweep.values)
    for (_, size), benchmark in written.items():
        assert benchmark.lam.shape == (size,)
    given = spec.run_trials("resolving_known", [0], plan.seed, written)
    pd.testing.assert_frame_equal(given, spec.run_trials("resolving_known", [0], plan.seed))


def test_a_job_makes_the_same_experiment(plan):
    spec = plan.experiments["rates_estimation_noise"]
    assert experiment(spec.job("always")).sweep == spec.sweep


def test_the_figure_of_terms_shows_shares_that_sum_to_one(plan, tmp_path):
    spec = plan.experiments["cbwk"]
    table = pd.concat([spec.run_trials(method, [0, 1], plan.seed) for method in ("primal_dual_s10", "lincbwk")])
    data = terms.curves(table, spec)
    shares = data.groupby(["method", "horizon"], observed=True)["share"].sum()
    np.testing.assert_allclose(shares, 1)
    spec = spec.model_copy(update={"methods": {name: spec.methods[name] for name in ("primal_dual_s10", "lincbwk")}})
    terms.draw(data, spec, [tmp_path / "terms.png"])
    assert (tmp_path / "terms.png").stat().st_size > 10_000
