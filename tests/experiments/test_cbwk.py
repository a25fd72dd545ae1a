"""The benchmarks V_UB and V_off, and the experiment of Section 8.3."""

import numpy as np
import pytest
from helpers.cbwk_cases import DIM, LEARNERS, SPARSITY, K, M, draw, mean_costs, trial

from hdbwk import rng, simulate
from hdbwk.dual import fluid_value, offline_value
from hdbwk.experiments.cbwk.law import KnapsackLaw, benchmarks
from hdbwk.experiments.cbwk.spec import CBwK
from hdbwk.experiments.cbwk.trial import budgets
from hdbwk.textbook.dual import best_assignment


class FixedPrices:
    """Knows the parameters and keeps given prices."""

    def __init__(self, instance, lam):
        self.net = instance.mu - np.einsum("kmd,m->kd", instance.W, lam)

    def act(self, x):
        score = self.net @ x
        return int(score.argmax()) if score.max() >= 0 else -1

    def update(self, x, arm, reward, consumption):
        pass


@pytest.fixture(scope="module")
def fluid_trial():
    """A long trial, its fluid solution, and what chance alone may do to the regret of the best prices."""
    instance = draw(3)
    fluid = fluid_value(instance, rng(3, "fluid"), n=100_000)
    stream = instance.sample(20_000, rng(3, "stream"), fluid.value)
    record = simulate(FixedPrices(instance, fluid.lam), stream)
    # By chance a resource may run out 4 standard deviations early, and the rounds after that earn nothing.
    share_lost = 4 * record.consumption.std(axis=0) / instance.rho / np.sqrt(20_000)
    return instance, fluid, stream, record, fluid.value * share_lost.max()


def test_known_parameters_at_the_optimal_prices_have_no_regret(fluid_trial):
    _, _, _, record, chance = fluid_trial
    assert abs(record.regret[-1]) / 20_000 <= chance


@pytest.mark.parametrize("factor", [0.0, 3.0])
def test_other_prices_have_regret(fluid_trial, factor):
    instance, fluid, stream, _, chance = fluid_trial
    record = simulate(FixedPrices(instance, factor * fluid.lam), stream)
    assert record.regret[-1] / 20_000 > 2 * chance


def test_the_offline_optimum_is_below_the_fluid_value_on_average():
    instance = draw(3)
    fluid = fluid_value(instance, rng(3, "fluid"), n=100_000)
    values = []
    for k in range(30):
        stream = instance.sample(200, rng(3, "stream", k))
        offline = offline_value(stream)
        values.append(offline.value / 200)
    error = np.std(values, ddof=1) / np.sqrt(30)
    assert np.mean(values) <= fluid.value + 3 * error
    assert np.mean(values) >= 0.95 * fluid.value


@pytest.mark.parametrize("seed", range(5))
def test_whole_pulls_earn_at_most_the_offline_optimum(seed):
    instance, stream = trial(seed, horizon=8)
    costs = mean_costs(instance, stream.contexts)
    whole, _ = best_assignment(stream.means, costs, stream.capacity, integer=True)
    assert 0 < whole <= offline_value(stream).value + 1e-7  # feasibility of HiGHS


def test_fluid_prices_and_slacks_are_complementary(paper):
    _, fluid = paper
    # consumption varies by 3 from round to round, so 50,000 contexts know a slack up to 0.013; prices are below 0.5
    assert np.abs(fluid.lam * fluid.slack).max() <= 4 * 0.013 * 0.5
    assert fluid.slack.min() >= -4 * 0.013


def test_several_resources_bind_on_the_default_instance(paper):
    _, fluid = paper
    binding = fluid.lam > 0.01
    assert 2 <= binding.sum() < 10
    assert np.abs(fluid.slack[binding]).max() <= 4 * 0.013


@pytest.fixture(scope="module")
def spec():
    instance = {
        "seed_label": "test",
        "dim": DIM,
        "sparsity": SPARSITY,
        "n_arms": K,
        "n_resources": M,
        "noise": 0.5,
        "correlation": 0.5,
        "bound": None,
        "signal": {"low": 0.5, "high": 1.0, "signs": "positive"},
        "consumption": {"low": 0.0, "high": 1.0, "signs": "positive"},
        "capacity": {"low": 0.2, "high": 0.8},
        "nonnegative": False,
        "fluid_contexts": 2000,
    }
    assert set(instance) == {name for name, field in KnapsackLaw.model_fields.items() if field.is_required()}
    methods = {name: {"name": name, "exit_rule": "exit", **params} for name, params in LEARNERS.items()}
    methods["skipping"] = {**methods["resolving"], "exit_rule": "skip"}
    return CBwK(**instance, horizon=60, horizons=[30, 90], read_every=25, methods=methods)


@pytest.mark.parametrize("method", [*LEARNERS, "skipping"])
def test_a_trial_reads_the_ends_of_all_horizons_and_the_rounds_of_one(spec, method):
    table = spec.run(method, 0, seed=1)
    assert list(zip(table["horizon"], table["t"], strict=True)) == [(30, 30), (60, 25), (60, 50), (60, 60), (90, 90)]
    assert np.isfinite(table["regret"]).all()
    assert (table["stopping_time"] <= table["horizon"]).all()
    if method == "skipping":
        assert (table["stopping_time"] == table["horizon"]).all()


def test_a_trial_is_the_same_with_the_benchmark_given_or_computed(spec):
    computed = spec.run("primal_dual", 2, seed=1)
    given_value = spec.run("primal_dual", 2, seed=1, value=spec.benchmark(2, 1).value)
    assert computed.equals(given_value)
    assert not computed.equals(spec.run("primal_dual", 3, seed=1))


def test_benchmarks_have_a_row_for_each_trial(spec, capsys):
    table = benchmarks(spec, [0, 4], seed=1)
    assert capsys.readouterr().out.count("V_UB / T") == 2
    assert list(table["trial"]) == [0, 4]
    assert (table["value"] > 0).all()
    assert (table["standard_error"] < 0.1 * table["value"]).all()
    assert {f"{kind}_{i}" for kind in ("price", "slack") for i in range(M)} <= set(table.columns)
    assert table["value"][1] == spec.benchmark(4, 1).value


def test_budgets_have_a_row_for_each_method_resource_and_round(spec):
    table = budgets(spec, 0, seed=1)
    assert len(table) == len(spec.methods) * M * 60
    sizes = table.groupby(["method", "resource"]).size()
    assert (sizes == 60).all()
    assert set(sizes.index.get_level_values("method")) == set(spec.methods)
    assert table["remaining"].min() >= -1e-12  # rounding of the cumulative sum


def test_budgets_show_prices_of_the_policies_that_have_them(spec):
    table = budgets(spec, 0, seed=1).set_index("method")
    assert table.loc["uniform", "price"].isna().all()
    assert (table.loc["skipping", "price"] >= 0).all()


def test_trials_draw_instances_of_their_own(spec):
    assert (spec.instance(0, 1).mu == spec.instance(0, 1).mu).all()
    assert (spec.instance(0, 1).mu != spec.instance(1, 1).mu).any()
