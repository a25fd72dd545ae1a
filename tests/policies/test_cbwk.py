"""Algorithms 2 and 4 and linCBwK: against their textbook versions, and what holds for their parts."""

from functools import partial

import numpy as np
import pytest
from helpers.cbwk_cases import DIM, HT, SPARSITY, WORKING, K, M, build, trial
from hypothesis import given, settings
from hypothesis import strategies as st

from hdbwk import rng, simulate
from hdbwk.dual import UncertifiedDualError
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.prices import Hedge, learning_rate
from hdbwk.policies.parts.schedules import Exploration
from hdbwk.simulation import PolicyError
from hdbwk.simulation.budget import Budget
from hdbwk.textbook.dual import dual_value
from hdbwk.textbook.lincbwk import LinCBwK as TextbookLinCBwK
from hdbwk.textbook.parts import Estimates as TextbookEstimates
from hdbwk.textbook.primal_dual import PrimalDual as TextbookPrimalDual
from hdbwk.textbook.resolving import Resolving as TextbookResolving


@pytest.mark.parametrize("null_arm", [True, False])
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_textbook_and_fast_primal_dual_take_the_same_arms(seed, epsilon, null_arm):
    instance, stream = trial(seed)
    schedule = Exploration(epsilon, 1 / 3, K)
    options = {"epsilon": epsilon, "explore": 20, "Z": 2.0, "cost_bound": 1.0, "null_arm": null_arm}
    fast = build("primal_dual", instance, stream, seed, **HT, **options)
    textbook = TextbookPrimalDual(
        TextbookEstimates(K, M, DIM, SPARSITY, WORKING, "normalized"),
        lambda t: 1 / K if t <= 20 else schedule(t),
        instance.rho,
        learning_rate(3.0, 200, M, 1.0),
        2.0,
        null_arm,
        rng(seed, "policy"),
    )
    arms = simulate(fast, stream, "skip").arm
    np.testing.assert_array_equal(arms, simulate(textbook, stream, "skip").arm)
    assert len(set(arms[20:])) > 1


@pytest.mark.parametrize("radius_scale", [0.01, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_textbook_and_fast_lincbwk_take_the_same_arms(seed, radius_scale):
    instance, stream = trial(seed)
    fast = build("lincbwk", instance, stream, seed, radius_scale=radius_scale, Z=2.0, cost_bound=1.0)

    def radius(t):
        return radius_scale * (np.sqrt(DIM * np.log((M + t * M * DIM) / 0.05)) + np.sqrt(DIM))

    textbook = TextbookLinCBwK(K, DIM, radius, instance.rho, learning_rate(3.0, 200, M, 1.0), 2.0)
    arms = simulate(fast, stream, "skip").arm
    np.testing.assert_array_equal(arms, simulate(textbook, stream, "skip").arm)
    assert set(range(K)) <= set(arms)


def side_by_side(seed, horizon=90, explore=20):
    """Run the fast Algorithm 4; yield it before each round with a textbook version of the same history."""
    instance, stream = trial(seed, horizon, capacity=(0.05, 0.3))
    fast = build("resolving", instance, stream, seed, **HT, explore=explore, Z=3.0, tol="exact")
    estimates = TextbookEstimates(K, M, DIM, SPARSITY, WORKING, "normalized")
    textbook = TextbookResolving(estimates, horizon, explore, instance.rho, 3.0, True, rng(seed, "policy"))
    budget = Budget(stream, "skip")
    for t, x in enumerate(stream.contexts):
        arm = fast.act(x)
        yield t, x, arm, fast, textbook
        outcome = budget.serve(t, arm)
        fast.update(x, *outcome)
        textbook.update(x, *outcome)


@pytest.mark.parametrize("seed", range(2))
def test_resolving_holds_prices_of_the_least_dual_value(seed):
    priced = 0
    for t, _, _, fast, textbook in side_by_side(seed):
        if t >= 20:
            priced += fast.prices.max() > 0.01
            assert fast.prices.min() >= 0
            assert fast.prices.sum() <= 3.0 * (1 + 1e-9)
            value = dual_value(*textbook.data(), textbook.rho, fast.prices)
            assert value == pytest.approx(textbook.value, abs=1e-6)  # the accuracy of the default solver of cvxpy
    assert priced > 0.5 * 70


@pytest.mark.parametrize("seed", range(2))
def test_textbook_and_fast_resolving_take_the_same_arms_away_from_ties(seed):
    clear = 0
    for t, x, arm, fast, textbook in side_by_side(seed):
        expected = textbook.act(x)
        if t < 20:
            assert arm == expected
            continue
        second, first = np.sort([*textbook.score(x), 0.0])[-2:]
        shift = np.abs(textbook.estimates.W @ x @ (fast.prices - textbook.lam)).max()  # the duals may differ by ties
        if first - second > 2 * shift + 1e-9:
            assert arm == expected
            clear += 1
    assert clear > 0.9 * 70


def test_without_prices_primal_dual_is_the_bandit_of_algorithm_3():
    instance, stream = trial(7, capacity=(1e6, 1e6))
    exploration = {"epsilon": 0.15, "decay": 1 / 3}
    primal_dual = build("primal_dual", instance, stream, **HT, **exploration, explore=0, Z=0.0, null_arm=False)
    bandit = build("online_ht_bandit", instance, stream, **HT, **exploration, propensity="true")
    np.testing.assert_array_equal(simulate(primal_dual, stream).arm, simulate(bandit, stream).arm)


def test_resolving_never_holds_an_uncertified_dual(tmp_path):
    instance, stream = trial(8)
    policy = build("resolving", instance, stream, **HT, explore=20, tol="exact")
    simulate(policy, stream[:60], "skip")
    before = policy.prices.copy()
    policy.dual.solve = partial(policy.dual.solve, max_iterations=1, save_to=tmp_path)
    with pytest.raises(PolicyError, match=r"Resolving\.update failed in round 1: UncertifiedDualError") as caught:
        simulate(policy, stream[60:], "skip")
    assert isinstance(caught.value.__cause__, UncertifiedDualError)
    np.testing.assert_array_equal(policy.prices, before)


def test_the_null_arm_is_chosen_only_if_all_others_are_worse():
    assert best_arm(np.array([-2.0, -1.0]), null_arm=True) == -1
    assert best_arm(np.array([-2.0, -1.0]), null_arm=False) == 1
    assert best_arm(np.zeros(2), null_arm=True) == 0  # so that a policy that knows nothing starts to learn


def test_resolving_every_tenth_round_keeps_its_prices_in_between():
    instance, stream = trial(8)
    prices = simulate(build("resolving", instance, stream, **HT, explore=20, resolve_every=10), stream, "skip").prices
    changes = np.flatnonzero((np.diff(prices, axis=0) != 0).any(axis=1)) + 1  # rounds with prices unlike those before
    assert changes.size > 1
    assert (changes % 10 == 0).all()


@given(seed=st.integers(0, 10**6), m=st.integers(1, 6), delta=st.floats(0.001, 2.0))
@settings(max_examples=100, deadline=None)
def test_hedge_stays_in_the_simplex(seed, m, delta):
    numbers = np.random.default_rng(seed)
    hedge = Hedge(numbers.uniform(0.1, 1.0, m), delta)
    for consumption in numbers.normal(0.5, 2.0, (30, m)):
        hedge.update(consumption)
        assert (hedge.eta >= 0).all()
        assert hedge.eta.sum() <= 1 + 1e-12


def test_hedge_is_as_printed():
    hedge = Hedge(np.array([0.2, 0.4]), 0.5)
    hedge.update(np.array([1.2, 0.4]))  # an over-used resource and one at its share
    np.testing.assert_allclose(hedge.eta, np.array([np.exp(0.5), 1.0]) / (np.exp(0.5) + 1))
    hedge = Hedge(np.array([0.2, 0.4]), 0.5)
    hedge.update(np.zeros(2))  # both under-used: no projection
    np.testing.assert_allclose(hedge.eta, [0.5 * np.exp(-0.1), 0.5 * np.exp(-0.2)])


def test_the_price_of_an_over_used_resource_rises_to_the_whole_of_Z():  # noqa: N802
    hedge = Hedge(np.array([0.2, 0.2]), 0.1)
    shares = []
    for _ in range(200):
        hedge.update(np.array([1.0, 0.2]))
        shares.append(hedge.eta[0])
    assert (np.diff(shares) > 0).all()
    assert shares[-1] == pytest.approx(1, abs=1e-6)


def test_the_learning_rate_is_that_of_the_theorem():
    assert learning_rate(3.0, 1000, 10, 4.0) == pytest.approx(3 * np.sqrt(np.log(10) / 4000))
    assert learning_rate(1.0, 1000, 1, 1.0) > 0


def test_exploration_leaves_the_prices_alone():
    instance, stream = trial(9)
    record = simulate(build("primal_dual", instance, stream, **HT, explore=30), stream, "skip")
    assert (record.prices[:31] == record.prices[0]).all()
    assert (record.prices[31] != record.prices[30]).any()
