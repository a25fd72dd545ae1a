"""The policies of the field are what their papers say, and the online LASSO serves in those of this paper."""

import numpy as np
import pytest
from helpers import field_policies as textbook

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.dual import fluid_value
from hdbwk.environments import BanditInstance, CBwKInstance
from hdbwk.policies.lasso_bandit import LassoBandit

DIM, K, T = 30, 3, 200


def bandit_trial(seed):
    instance = BanditInstance.draw(rng(seed, "instance"), DIM, 4, K)
    return instance, instance.sample(T, rng(seed, "stream"))


def cbwk_trial(seed, horizon=T):
    instance = CBwKInstance.draw(rng(seed, "instance"), DIM, 4, K, 3)
    return instance, instance.sample(horizon, rng(seed, "stream"), value=1.0)


def build(name, instance, stream, seed, **params):
    knapsacks = {"rho": stream.rho, "value": stream.value} if hasattr(stream, "rho") else {}
    info = InstanceInfo(DIM, K, len(stream), rng(seed, "policy"), truth=instance, **knapsacks)
    return make_policy(name, info, **params)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("name", "plain", "params"),
    [
        ("th_lasso", textbook.ThLasso, {}),
        ("sa_lasso", textbook.SaLasso, {}),
        ("lasso_bandit", textbook.LassoBandit, {"margin": 2.0, "forced_penalty": 0.3, "penalty": 0.3}),
        ("greedy_ridge", textbook.GreedyRidge, {}),
        ("linucb", textbook.LinUCB, {}),
        ("lints", textbook.LinTS, {}),
    ],
)
def test_textbook_and_fast_policies_agree_arm_for_arm(name, plain, params, seed):
    instance, stream = bandit_trial(seed)
    fast = simulate(build(name, instance, stream, seed, **params), stream).arm
    np.testing.assert_array_equal(fast, simulate(plain(K, DIM, rng(seed, "policy")), stream).arm)


@pytest.mark.parametrize("seed", range(3))
def test_textbook_and_fast_square_cbwk_agree_arm_for_arm(seed):
    instance, stream = cbwk_trial(seed)
    plain = textbook.SquareCBwK(K, DIM, rng(seed, "policy"), stream.rho, T, Z=3.0)
    fast = simulate(build("square_cbwk", instance, stream, seed, Z=3.0), stream, "skip").arm
    np.testing.assert_array_equal(fast, simulate(plain, stream, "skip").arm)
    assert set(fast) == {-1, 0, 1, 2}


@pytest.mark.parametrize("forced", [1, 3])
def test_forced_samples_of_the_lasso_bandit_are_those_of_its_paper(forced):
    info = InstanceInfo(DIM, K, T, rng(1, "policy"))
    policy = LassoBandit(info, forced=forced)
    sets = {(2**n - 1) * K * forced + j: (j - 1) // forced for n in range(9) for j in range(1, K * forced + 1)}
    for policy.t in range(1, T + 1):
        assert policy._forced() == sets.get(policy.t)


def test_the_fluid_oracle_plays_the_best_arm_at_the_prices_of_the_benchmark():
    instance, stream = cbwk_trial(1)
    policy = build("fluid_oracle", instance, stream, 1, contexts=2000)
    prices = fluid_value(instance, rng(1, "policy"), 2000).lam
    score = stream.means - stream.consumption_means @ prices
    arms = [policy.act(x) for x in stream.contexts]
    np.testing.assert_array_equal(arms, np.where(score.max(axis=1) < 0, -1, score.argmax(axis=1)))


def test_the_fluid_oracle_earns_more_than_those_who_learn():
    instance, stream = cbwk_trial(2, horizon=500)
    regret = {
        name: simulate(build(name, instance, stream, 2, **params), stream, "skip").regret[-1]
        for name, params in {"fluid_oracle": {"contexts": 5000}, "primal_dual": {}, "square_cbwk": {}}.items()
    }
    assert regret["fluid_oracle"] < 0.7 * min(regret["primal_dual"], regret["square_cbwk"])


@pytest.mark.parametrize("name", ["primal_dual", "resolving", "square_cbwk"])
def test_the_online_lasso_is_an_estimator_for_knapsacks(name):
    instance, stream = cbwk_trial(3)
    policy = build(name, instance, stream, 3, estimator={"name": "online_lasso", "sparsity": 4})
    simulate(policy, stream, "skip")
    assert (np.count_nonzero(policy.arms.coef, axis=2) <= 4).all()


def test_greedy_online_lasso_has_less_regret_than_greedy_online_ht():
    regret = {"online_lasso": 0.0, "online_ht": 0.0}
    for seed in range(3):
        instance = BanditInstance.draw(rng(seed, "instance"), 100, 10, 5)
        stream = instance.sample(500, rng(seed, "stream"))
        for name in regret:
            info = InstanceInfo(100, 5, 500, rng(seed, "policy"))
            policy = make_policy("online_ht_bandit", info, estimator={"name": name, "sparsity": 10})
            regret[name] += simulate(policy, stream).regret[-1]
    assert regret["online_lasso"] < 0.9 * regret["online_ht"]
