"""Small trials, and wrong calls of every registered policy that learns."""

import numpy as np

from hdbwk import InstanceInfo, make_policy, rng
from hdbwk.environments import BanditInstance, CBwKInstance

DIM, K, M, T = 12, 3, 3, 60
HT = {"estimator": {"sparsity": 2, "working_sparsity": 3}}
LEARNERS = {
    "online_ht_bandit": {**HT, "epsilon": 0.1},
    "primal_dual": {**HT, "epsilon": 0.05, "explore": 4},
    "resolving": {**HT, "explore": 2, "resolve_every": 3},
    "lincbwk": {"radius_scale": 0.01},
    "lasso_etc": {},
    "oracle": {},
    "th_lasso": {},
    "sa_lasso": {},
    "lasso_bandit": {},
    "greedy_ridge": {},
    "linucb": {},
    "lints": {},
    "square_cbwk": {"estimator": {"name": "online_lasso", "sparsity": 2}},
    "fluid_oracle": {"contexts": 500},
}
CONTEXTS = {
    "x of 0 numbers": np.ones(0),
    "x of 1 number": np.ones(1),
    "x of d - 1 numbers": np.ones(DIM - 1),
    "x of d + 1 numbers": np.ones(DIM + 1),
    "x of many numbers": np.ones(10**6),
    "x of two dimensions": np.ones((DIM, DIM)),
    "x with nan": np.full(DIM, np.nan),
    "x with inf": np.full(DIM, np.inf),
    "x of text": "x",
    "x of nothing": None,
}
ARMS = {f"arm {arm!r}": arm for arm in (-2, K, 10**6, -(10**6), 10**30, "x", None, 1.0, True, (0, 1))}
REWARDS = {f"reward {reward!r}": reward for reward in (np.nan, np.inf, "x", None)}
CONSUMPTIONS = {
    "consumption of 0 numbers": np.ones(0),
    "consumption of 1 number": np.ones(1),
    "consumption of m - 1 numbers": np.ones(M - 1),
    "consumption of m + 1 numbers": np.ones(M + 1),
    "consumption of many numbers": np.ones(10**6),
    "consumption of two dimensions": np.ones((M, 1)),
    "consumption with nan": np.full(M, np.nan),
    "consumption of text": "x",
    "consumption of nothing": None,
}
ROUNDS = {"x": CONTEXTS, "arm": ARMS, "reward": REWARDS}
FAULTS = {
    "online_ht_bandit": ROUNDS,
    "primal_dual": {**ROUNDS, "consumption": CONSUMPTIONS},
    "resolving": {**ROUNDS, "consumption": CONSUMPTIONS},
    "lincbwk": {**ROUNDS, "consumption": CONSUMPTIONS},
    "lasso_etc": ROUNDS,
    "oracle": {"x": CONTEXTS},
    "th_lasso": ROUNDS,
    "sa_lasso": ROUNDS,
    "lasso_bandit": ROUNDS,
    "greedy_ridge": ROUNDS,
    "linucb": ROUNDS,
    "lints": ROUNDS,
    "square_cbwk": {**ROUNDS, "consumption": CONSUMPTIONS},
    "fluid_oracle": {"x": CONTEXTS},
}
FAULTY = {name: [fault for values in faults.values() for fault in values] for name, faults in FAULTS.items()}


def plain(seed):
    instance = BanditInstance.draw(rng(seed, "instance"), DIM, 2, K)
    return instance, instance.sample(T, rng(seed, "stream"))


def knapsacks(seed):
    instance = CBwKInstance.draw(rng(seed, "instance"), DIM, 2, K, M, nonnegative=True)
    return instance, instance.sample(T, rng(seed, "stream"), value=1.0)


def build(name, instance, stream):
    info = InstanceInfo(DIM, K, len(stream), rng(1, "policy"), truth=instance, rho=stream.rho, value=1.0)
    return make_policy(name, info, **LEARNERS.get(name, {}))


def cases(name):
    """A policy in mid-run with a wrong call, for each fault."""
    instance, stream = knapsacks(1)
    for argument, values in FAULTS[name].items():
        for fault, value in values.items():
            policy = build(name, instance, stream)
            for t in range(5):
                policy.update(stream.contexts[t], policy.act(stream.contexts[t]), 1.0, np.ones(M))
            right = {"x": stream.contexts[6], "arm": 0, "reward": 1.0, "consumption": np.ones(M)}
            yield name, fault, policy, right | {argument: value}


def outcome(policy, call):
    """The error of a round with this call, twice over; or that it passed."""
    for _ in range(2):
        try:
            policy.act(call["x"])
            policy.update(**call)
        except Exception as error:
            found = type(error).__name__
        else:
            return "passed"
    return found
