"""V_off, V_UB and the estimate of Z, checked against textbook versions."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.dual_cases import ORACLE, GaussianInstance, random_data

from hdbwk.dual import estimate_Z, fluid_value, offline_value
from hdbwk.textbook.dual import best_assignment, dual_by_linprog, linear_data


def hindsight(rewards, costs, capacity):
    return SimpleNamespace(means=rewards, consumption_means=costs, capacity=capacity)


def test_offline_value_is_that_of_the_primal():
    rewards, costs, rho = random_data(np.random.default_rng(8), 150, 3, 4)
    offline = offline_value(hindsight(rewards, costs, 150 * rho))
    assert offline.value == pytest.approx(best_assignment(rewards, costs, 150 * rho)[0], rel=ORACLE)
    assert offline.gap <= offline.tolerance


@pytest.mark.parametrize("seed", range(5))
def test_whole_assignments_earn_no_more(seed):
    rewards, costs, rho = random_data(np.random.default_rng(seed), 8, 2, 2)
    whole, _ = best_assignment(rewards, costs, 8 * rho, integer=True)
    assert whole <= offline_value(hindsight(rewards, costs, 8 * rho)).value + ORACLE


def test_offline_value_needs_positive_capacity():
    with pytest.raises(ValueError, match=r"min\(capacity\) = 0 is not allowed"):
        offline_value(hindsight(np.zeros((3, 2)), np.zeros((3, 2, 1)), np.zeros(1)))


@pytest.mark.parametrize("with_moments", [False, True])
def test_standard_error_of_the_fluid_value_is_honest(with_moments):
    """The spread of 20 replicates is the stated error, within the 99.8% range of a chi-square (19)."""
    instance = GaussianInstance(with_moments=with_moments)
    replicates = [fluid_value(instance, np.random.default_rng([9, k]), n=4000, relative_error=1.0) for k in range(20)]
    spread = np.var([r.value for r in replicates], ddof=1)
    stated = np.mean([r.standard_error**2 for r in replicates])
    assert 5.4 / 19 <= spread / stated <= 43.8 / 19


def test_control_variates_lower_the_error_and_not_the_value():
    plain, controlled = (
        fluid_value(GaussianInstance(with_moments=known), np.random.default_rng(1), n=20_000, relative_error=1.0)
        for known in (False, True)
    )
    assert controlled.standard_error < 0.6 * plain.standard_error
    assert abs(controlled.value - plain.value) < 4 * plain.standard_error


def test_fluid_value_agrees_with_a_large_linear_programme():
    instance = GaussianInstance(with_moments=True)
    fluid = fluid_value(instance, np.random.default_rng(0), n=20_000)
    rewards, costs = linear_data(instance.contexts(3000, np.random.default_rng(99)), instance.mu, instance.W)
    value, lam = dual_by_linprog(rewards, costs, instance.rho, 10.0)
    noise = np.std(np.maximum((rewards - costs @ lam).max(axis=1), 0.0)) / np.sqrt(3000)
    assert fluid.standard_error <= 1e-3 * fluid.value
    assert abs(fluid.value - value) < 4 * noise
    assert np.abs(fluid.slack[fluid.lam > 0.05]).max() < 0.05
    assert fluid.slack.min() > -0.05


def test_wrong_moments_are_refused():
    instance = GaussianInstance(with_moments=True)
    instance.context_mean = instance.context_mean + 0.5
    with pytest.raises(ValueError, match="does not fit its contexts"):
        fluid_value(instance, np.random.default_rng(0), n=5000)


@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_few_contexts_are_no_reason_to_doubt_the_moments(n):
    """Poor prices, but a value that is not below the benchmark by more than noise."""
    instance = GaussianInstance(with_moments=True)
    benchmark = fluid_value(instance, np.random.default_rng(0), n=20_000).value
    few = fluid_value(instance, np.random.default_rng(n), n=n)
    assert few.n_contexts >= n
    assert few.value + 6 * few.standard_error >= benchmark


def test_a_last_chunk_of_one_context_is_no_reason_to_doubt_the_moments():
    instance = GaussianInstance(with_moments=True)
    whole, more = (fluid_value(instance, np.random.default_rng(0), n=n, relative_error=1.0) for n in (10_000, 10_001))
    spread, spread_of_more = (fluid.standard_error * np.sqrt(fluid.n_contexts) for fluid in (whole, more))
    assert spread_of_more == pytest.approx(spread, rel=0.2)


def test_ratio_is_the_estimated_value_over_the_smallest_capacity():
    instance = GaussianInstance()
    contexts = instance.contexts(200, np.random.default_rng(0))
    Z, value, solution = estimate_Z(contexts, instance.mu, instance.W, instance.rho)
    rewards, costs = linear_data(contexts, instance.mu, instance.W)
    optimum, _ = best_assignment(rewards, costs, 200 * instance.rho)
    assert value == pytest.approx(optimum / 200, rel=1e-6)
    assert pytest.approx(value / instance.rho.min()) == Z
    assert solution.lam.sum() <= Z * (1.0 + 1e-6)
    assert estimate_Z(contexts, instance.mu, instance.W, instance.rho, slack=0.1).value > value


def test_ratio_needs_positive_capacity():
    instance = GaussianInstance()
    with pytest.raises(ValueError, match=r"min\(rho\) = 0 is not allowed"):
        estimate_Z(np.ones((2, 40)), instance.mu, instance.W, np.array([0.0, 1.0, 1.0, 1.0]))
