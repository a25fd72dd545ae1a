"""The bandit with knapsacks: instances, streams, and budgets that hold."""

import re
from dataclasses import replace

import numpy as np
import pytest
from helpers.cbwk_cases import DIM, LEARNERS, SPARSITY, K, M, build, draw, mean_costs, trial
from hypothesis import given, settings
from hypothesis import strategies as st

from hdbwk import rng, simulate
from hdbwk.environments import PowerDecay
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.simulation import PolicyError


def test_every_row_of_consumption_has_the_support_of_the_reward():
    instance = draw(1)
    for mu, W in zip(instance.mu, instance.W, strict=True):
        np.testing.assert_array_equal(W != 0, np.tile(mu != 0, (M, 1)))


def test_capacities_lie_in_their_range():
    rho = CBwKInstance.draw(rng(2), DIM, SPARSITY, K, 400, capacity=(0.3, 0.6)).rho
    assert 0.3 <= rho.min() < 0.31  # of 400 uniform numbers none in the lowest thirtieth: probability 1e-6
    assert 0.59 < rho.max() <= 0.6


def test_rewards_and_consumptions_are_linear_with_noise_of_their_own():
    instance, stream = trial(3, horizon=20_000, noise=0.5)
    noise = np.concatenate(
        [
            stream.rewards - stream.contexts @ instance.mu.T,
            (stream.consumptions - mean_costs(instance, stream.contexts)).reshape(-1, K * M),
        ],
        axis=1,
    )
    # an entry of the sample covariance has a standard error of at most 0.25 sqrt(2 / 20,000) = 0.0025
    np.testing.assert_allclose(np.cov(noise.T), 0.25 * np.eye(K * (1 + M)), atol=0.0125)
    np.testing.assert_array_equal(stream.means, stream.contexts @ instance.mu.T)
    np.testing.assert_allclose(stream.consumption_means, mean_costs(instance, stream.contexts), atol=1e-12)


def test_without_noise_means_are_what_is_earned():
    instance, stream = trial(3, noise=0.0)
    np.testing.assert_array_equal(stream.rewards, stream.means)
    np.testing.assert_allclose(stream.consumptions, mean_costs(instance, stream.contexts), atol=1e-12)


def test_nonnegative_instances_consume_nothing_negative():
    instance, stream = trial(4, nonnegative=True)
    assert stream.contexts.min() >= 0
    assert stream.contexts.max() <= 1
    assert stream.consumptions.min() >= 0
    assert instance.context_mean is None


def test_contexts_of_nonnegative_instances_are_uniform():
    contexts = draw(4, nonnegative=True).contexts(20_000, rng(4))[:, -1]
    grid = np.linspace(0, 1, 21)
    share = [(contexts <= x).mean() for x in grid]
    np.testing.assert_allclose(share, grid, atol=1.95 / np.sqrt(20_000))  # Kolmogorov-Smirnov at level 0.1%


@pytest.mark.parametrize("nonnegative", [False, True])
def test_a_longer_trial_begins_with_the_rounds_of_a_shorter_one(nonnegative):
    _, short = trial(5, horizon=30, nonnegative=nonnegative)
    _, long = trial(5, horizon=90, nonnegative=nonnegative)
    for part in ("contexts", "means", "rewards"):
        np.testing.assert_array_equal(getattr(long[:30], part), getattr(short, part))
    # the matrix product that gives consumption may sum in another order for another number of rows
    np.testing.assert_allclose(long[:30].consumptions, short.consumptions, rtol=0, atol=1e-12)


def test_moments_of_the_contexts_are_stated_only_where_they_are_known():
    assert draw(1).context_covariance is not None
    assert draw(1, bound=1.0).context_covariance is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_arms": 0}, "n_arms = 0"),
        ({"n_resources": 0}, "n_resources = 0"),
        ({"noise": -0.1}, r"noise = -0\.1"),
        ({"capacity": (-0.5, -0.5)}, r"capacity = \(-0\.5, -0\.5\) must satisfy"),
        ({"sparsity": 41}, "sparsity = 41"),
    ],
)
def test_impossible_instances_are_refused(change, message):
    options = {"dim": DIM, "sparsity": SPARSITY, "n_arms": K, "n_resources": M} | change
    with pytest.raises(ValueError, match=message):
        CBwKInstance.draw(rng(1), **options)


def test_shapes_that_do_not_fit_are_named():
    instance = draw(1)
    for mu, rho, dim in [
        (instance.mu[:2], instance.rho, DIM),
        (instance.mu, np.ones(2), DIM),
        (instance.mu, instance.rho, 39),
    ]:
        with pytest.raises(ValueError, match="shapes do not fit"):
            CBwKInstance(mu, instance.W, rho, PowerDecay(dim), 0.5)


def test_a_trial_has_a_round():
    with pytest.raises(ValueError, match="horizon = 0"):
        draw(1).sample(0, rng(1))


def test_regret_without_a_benchmark_is_unknown():
    _, stream = trial(1, value=None)
    assert np.isnan(stream.regret(np.zeros(200, dtype=int))).all()


def test_capacities_and_parameters_of_the_wrong_form_are_named():
    with pytest.raises(ValueError, match=re.escape("capacity = (0.8, 0.2)")):
        CBwKInstance.draw(rng(1), 10, 2, 2, 2, capacity=(0.8, 0.2))
    instance, _ = trial(1)
    with pytest.raises(ValueError, match="shapes do not fit"):
        replace(instance, W=instance.W[0])


@given(
    seed=st.integers(0, 10**6),
    name=st.sampled_from(list(LEARNERS)),
    exit_rule=st.sampled_from(["exit", "skip"]),
    capacity=st.sampled_from([0.01, 0.1, 0.5]),
    nonnegative=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_no_policy_consumes_more_than_its_capacity(seed, name, exit_rule, capacity, nonnegative):
    instance, stream = trial(seed, horizon=60, capacity=(capacity, 2 * capacity), nonnegative=nonnegative)
    record = simulate(build(name, instance, stream, **LEARNERS[name]), stream, exit_rule)
    rounding = 1e-12 * (1 + np.abs(stream.consumptions).sum())
    assert (record.consumption.cumsum(axis=0) <= stream.capacity + rounding).all()


def test_after_the_exit_nothing_is_earned():
    instance, stream = trial(6, nonnegative=True)
    record = simulate(build("uniform", instance, stream), stream, "exit")
    end = record.stopping_time
    assert 0 < end < 200
    assert (record.arm[:end] >= 0).all()
    assert (record.arm[end:] == -1).all()
    assert not record.reward[end:].any()
    assert not record.consumption[end:].any()
    np.testing.assert_allclose(np.diff(record.regret)[end - 1 :], stream.value)


def test_the_exit_comes_with_the_first_query_that_exceeds_a_capacity():
    _, stream = trial(6, nonnegative=True)
    end = simulate(Insistent(), stream, "exit").stopping_time
    used = stream.consumptions[:, 0].cumsum(axis=0)
    assert (used[end - 1] <= stream.capacity).all()
    assert (used[end] > stream.capacity).any()


def test_runs_that_skip_go_to_the_end():
    _, stream = trial(6, nonnegative=True)
    record = simulate(Insistent(), stream, "skip")
    first = int(np.argmin(record.arm))
    assert record.stopping_time == 200
    assert record.arm[first] == -1
    assert (record.arm[first:] == 0).any()  # a smaller query is served after the first refusal


def test_refused_queries_are_told_as_null_pulls():
    _, stream = trial(6, nonnegative=True)
    policy = Insistent()
    record = simulate(policy, stream, "skip")
    told = np.array([arm for arm, _, _ in policy.told])
    np.testing.assert_array_equal(told, record.arm)
    assert set(told) == {-1, 0}
    for arm, reward, consumption in policy.told:
        if arm == -1:
            assert reward == 0
            np.testing.assert_array_equal(consumption, np.zeros(M))


def test_an_exit_rule_is_exit_or_skip():
    with pytest.raises(ValueError, match="exit_rule = 'stop'"):
        simulate(Insistent(), trial(1)[1], "stop")


def test_consumption_that_is_not_finite_is_an_error():
    _, stream = trial(1)
    stream.consumptions[0, 0, 1] = np.nan
    with pytest.raises(PolicyError, match=r"arm 0 gave Insistent .* in round 1"):
        simulate(Insistent(), stream)


class Insistent:
    """Asks for arm 0 in every round and remembers what it was told."""

    def __init__(self):
        self.told = []

    def act(self, x):
        return 0

    def update(self, x, arm, reward, consumption):
        self.told.append((arm, reward, consumption))
