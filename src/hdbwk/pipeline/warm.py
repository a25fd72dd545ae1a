"""Compile every kernel once, so that jobs which start together find the machine code on disk."""

from hdbwk.core.seeds import rng
from hdbwk.dual.explicit import offline_value
from hdbwk.dual.fluid import fluid_value
from hdbwk.environments.bandit import BanditInstance
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.environments.recovery import RecoveryInstance
from hdbwk.estimators.online_ht.regressor import OnlineHT
from hdbwk.policies.parts.protocol import InstanceInfo
from hdbwk.policies.registry import make_policy
from hdbwk.simulation.loop import simulate

DIM, SPARSITY, ARMS, RESOURCES, HORIZON = 8, 2, 2, 2, 40
ESTIMATOR = {"sparsity": SPARSITY, "working_sparsity": 2 * SPARSITY}
CHOOSING = {"name": "online_lasso", "sparsity": "auto"}


def warm_up() -> None:
    """Run all that is compiled, on instances of a few numbers: sizes do not matter to a kernel, types do."""
    _estimators()
    _bandit()
    _knapsacks()


def _estimators() -> None:
    stream = RecoveryInstance.draw(rng(0, "warm"), DIM, SPARSITY).sample(HORIZON, rng(0, "warm stream"))
    for engine in ("gram", "active"):
        OnlineHT(SPARSITY, engine=engine).fit(stream.contexts, stream.rewards).predict(stream.contexts)


def _bandit() -> None:
    instance = BanditInstance.draw(rng(0, "warm"), DIM, SPARSITY, ARMS)
    info = InstanceInfo(DIM, ARMS, HORIZON, rng(0, "warm policy"), instance)
    stream = instance.sample(HORIZON, rng(0, "warm stream"))
    for estimator in (ESTIMATOR, {"name": "online_lasso"}, CHOOSING):
        simulate(make_policy("online_ht_bandit", info, estimator=estimator), stream)
    for name in ("th_lasso", "lasso_bandit", "greedy_ridge"):
        simulate(make_policy(name, info), stream)


def _knapsacks() -> None:
    instance = CBwKInstance.draw(rng(0, "warm"), DIM, SPARSITY, ARMS, RESOURCES)
    value = fluid_value(instance, rng(0, "warm fluid"), n=HORIZON).value
    stream = instance.sample(HORIZON, rng(0, "warm stream"), value)
    info = InstanceInfo(DIM, ARMS, HORIZON, rng(0, "warm policy"), rho=instance.rho, value=value)
    learner = {"estimator": ESTIMATOR, "explore": HORIZON // 4}
    for name, params in {"primal_dual": learner, "resolving": learner, "lincbwk": {}}.items():
        simulate(make_policy(name, info, **params), stream, "skip")
    choosing = {**learner, "estimator": CHOOSING, "Z": "estimated"}
    simulate(make_policy("resolving", info, **choosing), stream, "skip")
    offline_value(stream)
