"""Small instances and policies that the tests of the knapsack bandit share."""

import numpy as np

from hdbwk import InstanceInfo, make_policy, rng
from hdbwk.environments.cbwk import CBwKInstance

DIM, K, M, SPARSITY = 40, 3, 3, 4
WORKING = 6
HT = {"estimator": {"sparsity": SPARSITY, "working_sparsity": WORKING}}
LEARNERS = {
    "primal_dual": {**HT, "explore": 10, "epsilon": 0.05},
    "resolving": {**HT, "explore": 15, "resolve_every": 5},
    "lincbwk": {"radius_scale": 0.01},
    "uniform": {},
}


def draw(seed, **options):
    return CBwKInstance.draw(rng(seed, "instance"), DIM, SPARSITY, K, M, **options)


def trial(seed, horizon=200, value=1.0, **options):
    instance = draw(seed, **options)
    return instance, instance.sample(horizon, rng(seed, "stream"), value)


def build(name, instance, stream, seed=0, **params):
    info = InstanceInfo(DIM, K, len(stream), rng(seed, "policy"), truth=instance, rho=instance.rho, value=stream.value)
    return make_policy(name, info, **params)


def mean_costs(instance, contexts):
    return np.einsum("td,kmd->tkm", contexts, instance.W)
