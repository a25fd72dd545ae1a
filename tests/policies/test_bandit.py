"""The bandit: environment, loop, Algorithm 3, the baseline and the controls."""

import pickle
import re
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.specs import smoke

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.environments import BanditInstance
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.metrics import growth_exponent
from hdbwk.policies import POLICIES
from hdbwk.policies.parts.schedules import Exploration, bandit_poor_scale
from hdbwk.simulation import PolicyError
from hdbwk.textbook.bandit import Bandit as TextbookBandit

HT = {"estimator": {"sparsity": 4, "working_sparsity": 8}}
PARAMS = {
    "online_ht_bandit": {**HT, "epsilon": 0.1},
    "primal_dual": {**HT, "epsilon": 0.1, "explore": 20},
    "resolving": {**HT, "explore": 20},
    "lincbwk": {"radius_scale": 0.01},
    "fluid_oracle": {"contexts": 500},
}
KNAPSACKS = [
    "primal_dual",
    "resolving",
    "lincbwk",
    "square_cbwk",
    "fluid_oracle",
]  # policies that need resources to price


def trial(seed, horizon=200, dim=40, K=4):
    instance = BanditInstance.draw(rng(seed, "instance"), dim, 4, K)
    return instance, instance.sample(horizon, rng(seed, "stream"))


def knapsack_trial(seed, horizon=200, dim=40, K=4):
    instance = CBwKInstance.draw(rng(seed, "instance"), dim, 4, K, 3)
    return instance, instance.sample(horizon, rng(seed, "stream"), value=1.0)


def build(name, instance, stream, seed=0, **params):
    K, dim = instance.mu.shape
    knapsacks = {"rho": stream.rho, "value": stream.value} if hasattr(stream, "rho") else {}
    info = InstanceInfo(dim, K, len(stream), rng(seed, "policy"), truth=instance, **knapsacks)
    return make_policy(name, info, **(params or PARAMS.get(name, {})))


def test_rewards_of_all_arms_are_linear_with_noise_of_their_own():
    instance = BanditInstance.draw(rng(1, "instance"), 30, 3, 4, noise=0.5)
    stream = instance.sample(20_000, rng(1, "stream"))
    noise = stream.rewards - stream.contexts @ instance.mu.T
    np.testing.assert_allclose(np.cov(noise.T), 0.25 * np.eye(4), atol=0.01)


@pytest.mark.parametrize("epsilon", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(4))
def test_textbook_and_fast_policies_agree_arm_for_arm(seed, epsilon):
    instance, stream = trial(seed, horizon=300, dim=60, K=5)
    estimator = {"sparsity": 6, "working_sparsity": 9}
    fast = build("online_ht_bandit", instance, stream, seed, estimator=estimator, epsilon=epsilon)
    schedule = Exploration(epsilon, 1 / 3, 5)
    textbook = TextbookBandit(5, 60, 6, 9, "normalized", schedule, rng(seed, "policy"))
    np.testing.assert_array_equal(simulate(fast, stream).arm, simulate(textbook, stream).arm)


def test_true_propensities_weigh_explored_arms_more():
    instance, stream = trial(3)
    printed, true = (
        build("online_ht_bandit", instance, stream, **HT, epsilon=0.1, propensity=p) for p in ("printed", "true")
    )
    assert (simulate(printed, stream).arm != simulate(true, stream).arm).any()


def play(policy, stream):
    """The arms of a run that goes to the end; without knapsacks nothing is ever skipped."""
    return simulate(policy, stream, "skip").arm


@pytest.mark.parametrize(
    ("draw", "name"),
    [
        *((trial, name) for name in POLICIES if name not in KNAPSACKS),
        *((knapsack_trial, name) for name in POLICIES),
    ],
)
class TestEveryPolicy:
    """What holds for every registered policy, with knapsacks and, where it can do without, without."""

    def test_it_plays_valid_arms_and_is_deterministic_under_a_seed(self, draw, name):
        instance, stream = draw(1)
        arms = play(build(name, instance, stream), stream)
        np.testing.assert_array_equal(arms, play(build(name, instance, stream), stream))
        assert set(arms) <= set(range(-1, 4))

    def test_it_does_not_depend_on_what_it_has_not_seen(self, draw, name):
        instance, stream = draw(2)
        arms = play(build(name, instance, stream), stream)
        unseen = np.ones_like(stream.rewards, dtype=bool)
        pulled = arms >= 0
        unseen[np.arange(len(arms))[pulled], arms[pulled]] = False
        # a query that was refused stays so: it now asks for more
        parts = [part for part in ("rewards", "consumptions") if hasattr(stream, part)]
        altered = replace(stream, **{part: getattr(stream, part).copy() for part in parts})
        for part in parts:
            getattr(altered, part)[unseen] = 1e6
        np.testing.assert_array_equal(play(build(name, instance, stream), altered), arms)

    def test_it_pickles_in_mid_run(self, draw, name):
        instance, stream = draw(3)
        policy = build(name, instance, stream)
        play(policy, stream[:100])
        copy = pickle.loads(pickle.dumps(policy))
        np.testing.assert_array_equal(play(policy, stream[100:]), play(copy, stream[100:]))


def test_the_oracle_has_no_regret():
    instance, stream = trial(4)
    assert simulate(build("oracle", instance, stream), stream).regret[-1] == 0


def test_regret_grows_and_a_learner_beats_chance():
    instance, stream = trial(5, horizon=800)
    learner = simulate(build("online_ht_bandit", instance, stream, **HT), stream).regret
    assert (np.diff(learner) >= 0).all()
    assert learner[-1] < 0.5 * simulate(build("uniform", instance, stream), stream).regret[-1]


def test_explore_then_commit_explores_in_turn_and_then_follows_its_estimates():
    instance, stream = trial(6, horizon=1000)
    policy = build("lasso_etc", instance, stream, exploration_scale=0.5, unit="total")
    arms = simulate(policy, stream).arm
    assert policy.exploration == 50
    np.testing.assert_array_equal(arms[:50], np.arange(50) % 4)
    np.testing.assert_array_equal(arms[50:], np.argmax(stream.contexts[50:] @ policy.mu.T, axis=1))
    assert build("lasso_etc", instance, stream, exploration_scale=0.5, unit="per_arm").exploration == 200


def test_lasso_solves_that_do_not_converge_are_counted():
    instance, stream = trial(6, horizon=1000)
    policy = build("lasso_etc", instance, stream, scale=0.001, tol=1e-12, max_iter=1)
    simulate(policy, stream)
    assert policy.unconverged == 4


def test_exponent_of_uniform_policy_is_one():
    table = smoke("bandit", horizons=[100, 200, 400, 800]).run_trials("uniform", range(20), seed=1)
    ends = table[table["t"] == table["horizon"]]
    values = ends.pivot_table(index="trial", columns="horizon", values="regret")
    estimate, low, high = growth_exponent(values, rng(1, "bootstrap"))
    assert low < 1 < high
    assert high - low < 0.1
    assert estimate == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("truth", [0.0, 0.5, 2 / 3])
def test_growth_exponents_are_found_and_covered(truth):
    sizes = np.array([250, 500, 1000, 2000, 4000])
    covered = []
    for i in range(100):
        noise = rng(2, "exponent", i).normal(1, 0.2, (50, 5))
        values = pd.DataFrame(3 * sizes**truth * noise, columns=sizes)
        interval = growth_exponent(values, rng(2, "bootstrap", i), resamples=300)
        covered.append(interval.low <= truth <= interval.high)
    assert 0.88 <= np.mean(covered) <= 1.0


def test_an_anytime_policy_is_read_at_every_horizon_and_another_is_run_anew():
    greedy = smoke("bandit").run_trials("greedy_s10", [0], seed=1)
    short = smoke("bandit", horizons=[50]).run_trials("greedy_s10", [0], seed=1)
    assert set(greedy["horizon"]) == {50, 100, 200}
    for horizon in (50, 100):
        long_run = greedy[(greedy["horizon"] == horizon) & (greedy["t"] == horizon)]["regret"].item()
        assert long_run == short[(short["horizon"] == horizon) & (short["t"] == horizon)]["regret"].item()
    known, longer = (
        smoke("bandit", horizon=horizon).run_trials("lasso_total_05", [0], seed=1).set_index(["horizon", "t"])["regret"]
        for horizon in (100, 200)
    )
    assert known[100, 100] != longer[200, 100]


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("ucb", {}, f"policy 'ucb' is unknown; there are {', '.join(sorted(POLICIES))}"),
        ("nowhere.at_all:Policy", {}, "'nowhere.at_all:Policy' cannot be imported"),
        ("hdbwk.policies.uniform:Nobody", {}, "cannot be imported"),
        ("online_ht_bandit", {"epsilon": -0.1}, r"epsilon = -0\.1"),
        ("online_ht_bandit", {"decay": -1}, "decay = -1"),
        ("online_ht_bandit", {"propensity": "odd"}, "propensity = 'odd'"),
        ("online_ht_bandit", {"epsilon": "theory"}, "epsilon = 'theory' needs noise, bound, reward_bound"),
        ("online_ht_bandit", {"estimator": {"sparsity": 0}}, r"estimator\.sparsity = 0"),
        ("online_ht_bandit", {"estimator": {"name": "odd"}}, r"estimator\.name = 'odd'"),
        ("lasso_etc", {"exploration_scale": 0}, "exploration_scale = 0"),
        ("lasso_etc", {"explore": 0.5}, "explore: this key is called exploration_scale now"),
        ("lasso_etc", {"unit": "odd"}, "unit = 'odd'"),
    ],
)
def test_bad_policies_are_named(name, params, message):
    instance, stream = trial(7)
    with pytest.raises(ValueError, match=message):
        build(name, instance, stream, **params)


def test_impossible_bandits_are_refused():
    with pytest.raises(ValueError, match="n_arms = 0"):
        BanditInstance.draw(rng(1), 10, 2, 0)
    with pytest.raises(ValueError, match="horizon = 0"):
        trial(1)[0].sample(0, rng(1))
    with pytest.raises(ValueError, match="horizon = 0"):
        InstanceInfo(10, 2, 0, rng(1))


class Stubborn:
    """Always the same answer."""

    knows_horizon = False

    def __init__(self, info, answer=0):
        self.answer = answer

    def act(self, x):
        return self.answer

    def update(self, x, arm, reward, consumption=None):
        pass


@pytest.mark.parametrize("answer", [4, -2, 1.5, None, "0", True, False, np.True_])
def test_an_impossible_arm_is_named_with_policy_and_round(answer):
    _, stream = trial(8)
    with pytest.raises(PolicyError, match=re.escape(f"Stubborn returned {answer!r} in round 1; allowed are 0..3")):
        simulate(Stubborn(None, answer), stream)


def test_a_reward_that_is_not_finite_is_named_with_policy_and_round():
    _, stream = trial(8)
    stream.rewards[16, 0] = np.nan
    with pytest.raises(PolicyError, match="arm 0 gave Stubborn the reward nan in round 17"):
        simulate(Stubborn(None), stream)


def test_an_error_names_the_method_and_the_trial(monkeypatch):
    monkeypatch.setitem(sys.modules, "stubborn", sys.modules[__name__])
    spec = smoke("bandit", methods={"mine": {"name": "stubborn:Stubborn", "answer": 99}})
    with pytest.raises(PolicyError) as caught:
        spec.run_trials("mine", [3], seed=1)
    assert caught.value.__notes__ == ["while simulating mine, trial 3, seed 1"]


def test_the_null_arm_earns_nothing():
    _, stream = trial(9)
    record = simulate(Stubborn(None, -1), stream)
    assert not record.reward.any()
    np.testing.assert_allclose(record.regret, np.cumsum(stream.means.max(axis=1)))


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 5.0])
def test_exploration_is_a_probability_for_each_arm(epsilon):
    values = [Exploration(epsilon, 1 / 3, 5)(t) for t in (1, 10, 1000)]
    assert all(0 <= value <= 1 / 5 for value in values)
    assert values == sorted(values, reverse=True)


def test_the_constant_of_the_theorem_is_as_printed():
    assert bandit_poor_scale(0.5, 2.0, 10, 4.0, 5, 100) == pytest.approx(
        0.5 ** (2 / 3) * 2.0 ** (4 / 3) * 10 ** (2 / 3) * np.log(500) ** (1 / 3) / (4.0 * 5) ** (2 / 3)
    )
