"""The ratio Z, given or estimated, and what is refused."""

import re

import numpy as np
import pytest
from helpers.cbwk_cases import HT, LEARNERS, build, trial

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.dual import estimate_Z, fluid_value


@pytest.mark.parametrize("name", ["primal_dual", "resolving", "lincbwk"])
def test_Z_is_a_number_or_the_value_over_the_smallest_capacity(name):  # noqa: N802
    instance, stream = trial(1, value=0.7)
    assert build(name, instance, stream, **LEARNERS[name], Z=4).ratio.value == 4
    assert build(name, instance, stream, **LEARNERS[name]).ratio.value == pytest.approx(0.7 / instance.rho.min())


@pytest.mark.parametrize(
    ("value", "Z", "message"),
    [
        (None, "oracle", 'Z = "oracle" needs the value'),
        (1.0, "guess", "Z = 'guess'"),
        (1.0, -1.0, r"Z = -1\.0"),
        (1.0, np.nan, "Z = nan"),
        (1.0, np.inf, "Z = inf"),
    ],
)
@pytest.mark.parametrize("name", ["primal_dual", "resolving", "lincbwk"])
def test_impossible_ratios_are_refused(name, value, Z, message):
    instance, stream = trial(1, value=value)
    with pytest.raises(ValueError, match=message):
        build(name, instance, stream, **LEARNERS[name], Z=Z)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("primal_dual", {"explore": -1}, "explore = -1"),
        ("resolving", {"explore": 0}, "explore = 0"),
        ("resolving", {"resolve_every": 0}, "resolve_every = 0"),
        ("resolving", {"every": 5}, "every: this key is called resolve_every now"),
        ("lincbwk", {"radius_scale": -1.0}, r"radius_scale = -1\.0"),
        ("lincbwk", {"confidence": 1.0}, r"confidence = 1\.0"),
        ("primal_dual", {"cost_bound": 0.0}, r"cost_bound = 0\.0"),
        ("primal_dual", {"estimator": {"sparsity": 0}}, r"estimator\.sparsity = 0"),
        ("primal_dual", {"sparsity": 5}, r"sparsity: this key is called estimator\.sparsity now"),
    ],
)
def test_bad_parameters_are_named(name, change, message):
    instance, stream = trial(1)
    with pytest.raises(ValueError, match=message):
        build(name, instance, stream, **(LEARNERS[name] | change))


def test_the_ratio_of_many_contexts_is_that_of_the_truth(paper):
    instance, fluid = paper
    contexts = instance.contexts(10_000, rng(3))
    Z = estimate_Z(contexts, instance.mu, instance.W, instance.rho).Z
    # net rewards vary by about their mean, so 10,000 of them know it up to 1%; four times that
    assert pytest.approx(fluid.value / instance.rho.min(), rel=0.04) == Z


@pytest.mark.parametrize("name", ["primal_dual", "resolving"])
def test_Z_is_estimated_at_the_end_of_the_first_rounds(name):  # noqa: N802
    instance, stream = trial(2, horizon=1001)
    truth = fluid_value(instance, rng(2, "fluid"), n=20_000).value / instance.rho.min()
    policy = build(name, instance, stream, **HT, explore=1000, Z="estimated")
    simulate(policy, stream[:999], "skip")
    assert policy.ratio.value == 0
    simulate(policy, stream[999:1000], "skip")
    assert policy.ratio.value == pytest.approx(truth, rel=0.12)  # 1000 contexts know V_UB up to 3%, four times that


@pytest.mark.parametrize("name", ["primal_dual", "lincbwk"])
def test_a_ratio_that_is_to_be_estimated_needs_first_rounds(name):
    instance, stream = trial(1)
    info = InstanceInfo(stream.contexts.shape[1], stream.n_arms, len(stream), rng(1), rho=instance.rho)
    with pytest.raises(ValueError, match="Z = 'estimated' needs explore of at least 1"):
        make_policy(name, info, Z="estimated", explore=0)
    with pytest.raises(ValueError, match="explore = -3: must be at least 0"):
        make_policy(name, info, Z=1.0, explore=-3)


@pytest.mark.parametrize("name", ["primal_dual", "resolving", "lincbwk"])
def test_a_policy_for_knapsacks_needs_capacities(name):
    with pytest.raises(ValueError, match="needs capacities"):
        make_policy(name, InstanceInfo(4, 2, 10, rng(1)), Z=1.0)


@pytest.mark.parametrize("ratio", [None, True, -1.0, float("inf"), "odd"])
def test_an_impossible_ratio_is_named(ratio):
    instance, stream = trial(1)
    info = InstanceInfo(stream.contexts.shape[1], stream.n_arms, len(stream), rng(1), rho=instance.rho)
    with pytest.raises(ValueError, match=re.escape(f"Z = {ratio!r}: must be ")):
        make_policy("resolving", info, Z=ratio)


def test_a_dual_that_is_solved_before_the_estimates_needs_a_known_ratio():
    instance, stream = trial(1)
    info = InstanceInfo(stream.contexts.shape[1], stream.n_arms, len(stream), rng(1), rho=instance.rho)
    with pytest.raises(ValueError, match="Z = 'estimated' cannot be combined with stale = true"):
        make_policy("resolving", info, Z="estimated", stale=True)
