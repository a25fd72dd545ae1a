"""The terms of the regret sum to it, and each of them sees what it is named after."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.cbwk_cases import LEARNERS, build, trial

from hdbwk import rng, simulate
from hdbwk.dual.fluid import fluid_value
from hdbwk.metrics.decomposition import TERMS, regret_terms


@pytest.fixture(scope="module")
def case():
    instance, stream = trial(1, horizon=300)
    fluid = fluid_value(instance, rng(1, "fluid"), n=20_000)
    return instance, replace(stream, value=fluid.value), fluid.lam


def run(case, name, exit_rule="exit", **params):
    instance, stream, prices = case
    record = simulate(build(name, instance, stream, **{**LEARNERS.get(name, {}), **params}), stream, exit_rule)
    return record, regret_terms(record, stream, prices)


class Known:
    """The best arm of the truth at given prices."""

    knows_horizon = False

    def __init__(self, instance, prices):
        self.mu, self.W, self.prices = instance.mu, instance.W, prices

    def act(self, x):
        gains = self.mu @ x - self.W @ x @ self.prices
        return int(gains.argmax()) if gains.max() > 0 else -1

    def update(self, x, arm, reward, consumption):
        pass


def terms_of(case, policy, exit_rule="skip"):
    record = simulate(policy, case[1], exit_rule)
    return record, regret_terms(record, case[1], case[2])


@pytest.mark.parametrize("exit_rule", ["exit", "skip"])
@pytest.mark.parametrize("name", LEARNERS)
def test_the_terms_sum_to_the_regret_in_every_round(case, name, exit_rule):
    record, terms = run(case, name, exit_rule)
    assert tuple(terms.columns) == TERMS
    np.testing.assert_allclose(terms.sum(axis=1).cumsum(), record.regret, rtol=0, atol=1e-9)


def test_they_sum_to_it_at_any_prices(case):
    _, stream, prices = case
    record, _ = run(case, "primal_dual")
    for other in (0 * prices, prices + 1, 100 * prices):
        total = regret_terms(record, stream, other).sum(axis=1).cumsum()
        np.testing.assert_allclose(total, record.regret, rtol=0, atol=1e-8)


def test_a_policy_that_knows_all_errs_in_neither_prices_nor_estimates(case):
    _, terms = terms_of(case, Known(case[0], case[2]))
    assert (terms[["prices", "estimates", "exploration"]] == 0).all(axis=None)


def test_wrong_prices_with_known_parameters_are_errors_of_the_prices_alone(case):
    _, terms = terms_of(case, Known(case[0], case[2] + 1.0))
    assert (terms["prices"] >= 0).all()
    assert terms["prices"].sum() > 1
    assert np.abs(terms["estimates"]).max() == 0


def test_wrong_parameters_at_the_right_prices_are_errors_of_the_estimates_alone(case):
    instance, _, prices = case
    blind = Known(replace(instance, mu=np.roll(instance.mu, 1, axis=0)), prices)
    _, terms = terms_of(case, blind)
    assert terms["prices"].abs().max() == 0
    assert (terms["estimates"] >= 0).all()
    assert terms["estimates"].sum() > 1


def test_high_prices_leave_capacity_unused_and_low_ones_do_not(case):
    runs = [terms_of(case, Known(case[0], factor * case[2]))[1] for factor in (3, 0)]
    high, low = (terms["consumption"].iloc[:100].sum() for terms in runs)  # before any capacity is exhausted
    assert high > 0 > low


def test_the_uniform_policy_only_explores(case):
    record, terms = run(case, "uniform", "skip")
    assert record.explored.all()
    assert (terms[["prices", "estimates", "consumption"]] == 0).all(axis=None)
    assert terms["exploration"].sum() > 0


def test_exploration_is_confined_to_the_rounds_that_explore(case):
    record, terms = run(case, "resolving")
    assert record.explored.sum() == LEARNERS["resolving"]["explore"]
    assert (terms.loc[~record.explored, "exploration"] == 0).all()
    assert (terms.loc[record.explored, ["prices", "estimates", "consumption"]] == 0).all(axis=None)


def test_each_round_after_the_exit_costs_the_benchmark(case):
    record, terms = terms_of(case, Known(case[0], 0 * case[2]), "exit")
    assert record.stopping_time < len(terms)
    after = terms.iloc[record.stopping_time :]
    assert (after["exit"] == case[1].value).all()
    assert (after.drop(columns="exit") == 0).all(axis=None)


def test_a_refused_query_costs_what_it_would_have_gained(case):
    record, terms = terms_of(case, Known(case[0], 0 * case[2]), "skip")
    refused = record.arm != record.chosen
    assert refused.any()
    assert (terms.loc[~refused, "exit"] == 0).all()
    assert (terms.loc[refused, "exit"] != 0).all()


def test_the_noise_of_the_benchmark_has_mean_zero(case):
    instance, _, prices = case
    stream = instance.sample(50_000, rng(2, "long"), case[1].value)
    record = simulate(build("uniform", instance, stream), stream, "skip")
    noise = regret_terms(record, stream, prices)["benchmark"]
    assert abs(noise.mean()) < 4 * noise.std() / np.sqrt(len(noise))


def test_terms_need_a_benchmark(case):
    _, stream, prices = case
    record, _ = run(case, "uniform")
    with pytest.raises(ValueError, match="V_UB"):
        regret_terms(record, replace(stream, value=None), prices)
