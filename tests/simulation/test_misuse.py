"""Policies that are used wrongly, or behave badly: an error with a name, and a world that stays as it was."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers.children import output_of
from helpers.policy_cases import FAULTY, LEARNERS, build, knapsacks, plain

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.policies import POLICIES
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.schedules import Exploration
from hdbwk.simulation import PolicyError
from hdbwk.textbook.bandit import Bandit as TextbookBandit


class Base:
    """A policy that asks for arm 0 and learns nothing."""

    knows_horizon = True

    def __init__(self, info=None):
        pass

    def act(self, x):
        return 0

    def update(self, x, arm, reward, consumption=None):
        pass


class Slotted(Base):
    """Has no room for attributes."""

    __slots__ = ()


@pytest.fixture
def mine(monkeypatch):
    """The dotted path to this module."""
    monkeypatch.setitem(sys.modules, "mine", sys.modules[__name__])
    return "mine"


def info_of(stream, **changes):
    K, dim = stream.n_arms, stream.contexts.shape[1]
    fields = {"dim": dim, "n_arms": K, "horizon": len(stream), "rng": rng(1, "policy")}
    return InstanceInfo(**fields | ({"rho": stream.rho, "value": 1.0} if hasattr(stream, "rho") else {}) | changes)


# --- what a policy was made for ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("field", "value"), [("dim", 7), ("dim", 40), ("n_arms", 2), ("n_arms", 5)])
@pytest.mark.parametrize("name", [*(name for name in POLICIES if name not in ("oracle", "fluid_oracle")), "mine:Base"])
def test_a_policy_that_was_made_for_another_stream_is_refused_before_round_1(name, field, value, mine):
    _, stream = knapsacks(1)
    policy = make_policy(name, info_of(stream, **{field: value}), **LEARNERS.get(name, {}))
    with pytest.raises(
        PolicyError, match=rf"{type(policy).__name__} was made for {field} = {value}, but the stream has"
    ):
        simulate(policy, stream)


@pytest.mark.parametrize("name", ["primal_dual", "resolving", "lincbwk", "square_cbwk", "lasso_etc", "mine:Base"])
def test_a_policy_that_knows_a_shorter_horizon_is_refused(name, mine):
    _, stream = knapsacks(1)
    policy = make_policy(name, info_of(stream, horizon=59), **LEARNERS.get(name, {}))
    with pytest.raises(PolicyError, match="was made for horizon = 59, but the stream has horizon = 60"):
        simulate(policy, stream)


@pytest.mark.parametrize(("draw", "m"), [(knapsacks, 1), (knapsacks, 4), (plain, 1)])
def test_capacities_of_another_stream_are_refused(draw, m):
    _, stream = draw(1)
    policy = make_policy("primal_dual", info_of(stream, rho=np.ones(m), value=1.0), **LEARNERS["primal_dual"])
    with pytest.raises(PolicyError, match=f"PrimalDual was made for n_resources = {m}, but the stream has"):
        simulate(policy, stream)


def test_a_policy_that_knows_no_horizon_may_play_longer_and_any_policy_shorter():
    _, stream = plain(1)
    longer = simulate(make_policy("online_ht_bandit", info_of(stream, horizon=10)), stream)
    shorter = simulate(make_policy("lasso_etc", info_of(stream)), stream[:10])
    assert (longer.stopping_time, shorter.stopping_time) == (len(stream), 10)


def test_a_policy_without_room_for_its_info_is_a_policy(mine):
    _, stream = plain(1)
    assert simulate(make_policy("mine:Slotted", info_of(stream)), stream).stopping_time == len(stream)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dim": 2.0}, r"dim = 2\.0"),
        ({"dim": -3}, "dim = -3"),
        ({"n_arms": True}, "n_arms = True"),
        ({"n_arms": "4"}, "n_arms = '4'"),
        ({"horizon": None}, "horizon = None"),
        ({"rng": 5}, "rng = 5"),
        ({"rho": 0.5}, r"rho has shape \(\)"),
        ({"rho": np.ones((2, 2))}, r"rho has shape \(2, 2\)"),
        ({"rho": [0.5, np.nan]}, r"rho\[1\] = nan"),
        ({"rho": [0.5, np.inf]}, r"rho\[1\] = inf"),
        ({"rho": [0.5, 0.0]}, r"rho\[1\] = 0"),
        ({"rho": "x"}, "rho is not a vector of numbers"),
        ({"value": np.nan}, "value = nan"),
        ({"value": "1"}, "value = '1'"),
    ],
)
def test_an_impossible_info_names_its_field(change, message):
    fields = {"dim": 4, "n_arms": 2, "horizon": 9, "rng": rng(1)}
    with pytest.raises(ValueError, match=message):
        InstanceInfo(**fields | change)


CONFORMANCE = """
from helpers.policy_cases import cases, outcome
for name, fault, policy, call in cases({name!r}):
    print(fault, outcome(policy, call), sep=" | ")
"""


@pytest.mark.parametrize("name", LEARNERS)
def test_no_wrong_call_of_a_policy_crashes_or_passes(name):
    lines = dict(line.split(" | ") for line in output_of(CONFORMANCE.format(name=name)))
    assert set(lines) == set(FAULTY[name])
    assert {fault for fault, outcome in lines.items() if outcome == "passed"} == set()


# --- what a policy is handed ------------------------------------------------------------------------------------------


class Accountant(Base):
    """Keeps its own count of the capacities, in the array that it was given."""

    def __init__(self, info):
        self.left = info.rho
        self.left *= info.horizon


class Cheat(Base):
    """Writes into the truth."""

    def __init__(self, info, part):
        getattr(info.truth, part)[:] *= 1000


class Vandal(Base):
    """Writes into all that it is handed in a round."""

    def act(self, x):
        x[:] = 7.0
        return -1 if self.nulls else 0

    def update(self, x, arm, reward, consumption):
        x[:] = -7.0
        consumption -= 0.4

    def __init__(self, info=None, nulls=False):
        self.nulls = nulls


def test_capacities_in_an_info_are_its_own_and_not_for_writing(mine):
    instance, stream = knapsacks(1)
    before = instance.rho.copy()
    rho = instance.rho.copy()
    info = info_of(stream, rho=rho)
    with pytest.raises(ValueError, match="read-only") as caught:
        make_policy("mine:Accountant", info)
    assert caught.value.__notes__ == ["while building the policy 'mine:Accountant'"]
    rho *= 1000
    for array in (instance.rho, stream.rho, info.rho):
        np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize("part", ["mu", "W", "rho"])
def test_the_truth_is_not_for_writing(part, mine):
    instance, stream = knapsacks(1)
    with pytest.raises(ValueError, match="read-only"):
        make_policy("mine:Cheat", info_of(stream, truth=instance), part=part)


@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("draw", [knapsacks, plain])
def test_what_a_policy_writes_in_a_round_changes_neither_the_stream_nor_the_record(draw, nulls):
    _, stream = draw(2)
    _, untouched = draw(2)
    polite = simulate(Base(), stream, "skip")
    record = simulate(Vandal(nulls=nulls), stream, "skip")
    for name, part in vars(untouched).items():
        np.testing.assert_array_equal(getattr(stream, name), part)
    assert not record.consumption[record.arm < 0].any()
    if not nulls:
        np.testing.assert_array_equal(record.consumption, polite.consumption)
        np.testing.assert_array_equal(record.arm, polite.arm)


# --- misuse that used to be silent ------------------------------------------------------------------------------------


def test_refused_rounds_teach_algorithm_3_nothing():
    _, stream = knapsacks(3)
    fast = make_policy(
        "online_ht_bandit", info_of(stream), estimator={"sparsity": 3, "working_sparsity": 4}, epsilon=0.1
    )
    textbook = TextbookBandit(3, 12, 3, 4, "normalized", Exploration(0.1, 1 / 3, 3), rng(1, "policy"))
    arms = simulate(fast, stream, "skip").arm
    assert (arms < 0).sum() > 3
    np.testing.assert_array_equal(arms, simulate(textbook, stream, "skip").arm)
    np.testing.assert_allclose(fast.arms.coef[:, 0], textbook.mu, atol=1e-10)


def test_refused_rounds_teach_explore_then_commit_nothing():
    _, stream = knapsacks(3)
    stream.consumptions[3] = 1e6
    policy = make_policy("lasso_etc", info_of(stream))
    arms = simulate(policy, stream, "skip").arm[: policy.exploration]
    assert arms[3] == -1
    assert [len(rows) for rows in policy.rows] == [(arms == a).sum() for a in range(3)]


def test_explore_then_commit_expects_nothing_of_an_arm_that_was_always_refused():
    _, stream = knapsacks(3)
    stream.consumptions[:, 1] = 1e6
    policy = make_policy("lasso_etc", info_of(stream))
    simulate(policy, stream, "skip")
    assert not policy.mu[1].any()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", POLICIES)
def test_a_context_that_is_not_finite_is_named_with_policy_and_round(name, bad):
    instance, stream = knapsacks(1)
    stream.contexts[7, 3] = bad
    policy = build(name, instance, stream)
    with pytest.raises(PolicyError, match=rf"{type(policy).__name__} cannot play round 8: x\[3\] = {bad}"):
        simulate(policy, stream, "skip")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_estimates_that_are_not_finite_choose_no_arm(bad):
    with pytest.raises(FloatingPointError, match=str(bad)):
        best_arm(np.array([1.0, bad]), null_arm=True)


@pytest.mark.parametrize("name", LEARNERS)
def test_contexts_too_large_to_be_multiplied_are_refused(name):
    instance, stream = knapsacks(1)
    stream.contexts[7] *= 1e100
    with pytest.raises(PolicyError, match=r"cannot play round 8: x\[0\] = .*e\+\d+ must be finite, and at most 1e"):
        simulate(build(name, instance, stream), stream, "skip")


@pytest.mark.parametrize("name", ["primal_dual", "resolving", "lincbwk"])
def test_contexts_may_come_in_one_array_that_is_written_anew(name):
    _, stream = knapsacks(1)
    info = InstanceInfo(12, 3, len(stream), rng(1, "policy"), rho=stream.rho)
    params = LEARNERS[name] | {"Z": "estimated", "explore": 4}
    fresh, reused = (make_policy(name, replace(info, rng=rng(1, "policy")), **params) for _ in range(2))
    buffer = np.empty(12)
    for x in stream.contexts[:6]:
        buffer[:] = x
        for policy, context in ((fresh, x), (reused, buffer)):
            policy.update(context, policy.act(context), float(x[0]), np.full(3, 0.1))
    assert reused.ratio.value == fresh.ratio.value > 0


class Failing(Base):
    """Raises in the third round."""

    def __init__(self, place, error):
        self.place, self.error, self.t = place, error, 0

    def act(self, x):
        self.t += 1
        self.fail("act")
        return 0

    def update(self, x, arm, reward, consumption=None):
        self.fail("update")

    @property
    def prices(self):
        self.fail("prices")
        return np.nan

    def fail(self, place):
        if self.t == 3 and place == self.place:
            raise self.error


@pytest.mark.parametrize("place", ["act", "update", "prices"])
@pytest.mark.parametrize("error", [KeyError("x"), MemoryError("full"), StopIteration(), RuntimeWarning("odd")])
def test_an_error_inside_a_policy_names_the_policy_and_the_round(place, error):
    _, stream = plain(1)
    with pytest.raises(PolicyError, match=rf"Failing\.{place} failed in round 3: {type(error).__name__}") as caught:
        simulate(Failing(place, error), stream)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("place", ["act", "update"])
def test_an_interrupt_inside_a_policy_passes(place, error):
    _, stream = plain(1)
    with pytest.raises(error):
        simulate(Failing(place, error()), stream)


def test_prices_of_another_number_are_named():
    _, stream = knapsacks(1)
    policy = Base()
    policy.prices = np.ones(7)
    with pytest.raises(PolicyError, match=r"Base\.prices failed in round 1"):
        simulate(policy, stream)
