"""What the figures would take by the textbook: the costs of its rounds, measured on a few, times their number."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks.bars import seconds
from hdbwk import rng, simulate
from hdbwk.environments import BanditInstance, CBwKInstance, RecoveryInstance
from hdbwk.policies.parts.prices import learning_rate
from hdbwk.policies.parts.schedules import Exploration
from hdbwk.textbook.bandit import Bandit
from hdbwk.textbook.dual import dual_by_cvxpy, linear_data
from hdbwk.textbook.online_ht import OnlineHT
from hdbwk.textbook.parts import Estimates
from hdbwk.textbook.primal_dual import PrimalDual

ROUNDS = 40  # measured of each algorithm; all rounds of the textbook cost the same, but for the dual of Algorithm 4
DUAL_SIZES = (100, 400, 1600)  # contexts in the duals that cvxpy solves
Seconds = dict[tuple[str, str], float]


def textbook_seconds(specs: Mapping[str, Any], ours: Mapping[tuple[str, str], float]) -> Seconds:
    """Seconds of one trial by experiment and method; methods that are not the paper's cost what they cost us."""
    recovery, bandit, knapsacks = (specs[kind] for kind in ("recovery", "bandit", "cbwk"))
    horizons = knapsacks.horizons  # each is played anew: Algorithms 2 and 4 and linCBwK know T
    regressions = algorithm_2(knapsacks)
    costs = {
        "online_ht": recovery.horizon * algorithm_1(recovery),
        "online_ht_bandit": max(bandit.horizons) * algorithm_3(bandit),
        "primal_dual": sum(horizons) * regressions,
        "resolving": sum(horizons) * regressions + sum(map(cvxpy_duals(knapsacks), horizons)),
    }
    return {(kind, m): costs.get(specs[kind].methods[m].name, spent) for (kind, m), spent in ours.items()}


def algorithm_1(spec: Any) -> float:
    """Seconds of one round."""
    instance = RecoveryInstance.draw(rng(1, "bench"), spec.dim, spec.sparsity)
    stream = instance.sample(ROUNDS, rng(1, "bench stream"))

    def run() -> None:
        model = OnlineHT(spec.dim, 10, 20, "normalized")
        for x, r in zip(stream.contexts, stream.rewards, strict=True):
            model.update(x, r)

    return seconds(run) / ROUNDS


def algorithm_3(spec: Any) -> float:
    """Seconds of one round."""
    dim, arms = spec.dim, spec.n_arms
    stream = BanditInstance.draw(rng(1, "bench"), dim, 10, arms).sample(ROUNDS, rng(1, "bench stream"))
    greedy = Exploration(0.0, 0.0, arms)
    return seconds(lambda: simulate(Bandit(arms, dim, 20, 20, "normalized", greedy, rng(1, "policy")), stream)) / ROUNDS


def algorithm_2(spec: Any) -> float:
    """Seconds of one round; those of Algorithm 4 have the same regressions."""
    dim, arms, resources = spec.dim, spec.n_arms, spec.n_resources
    stream = CBwKInstance.draw(rng(1, "bench"), dim, 10, arms, resources).sample(ROUNDS, rng(1, "bench stream"))

    def run() -> None:
        estimates = Estimates(arms, resources, dim, 20, 20, "normalized")
        delta = learning_rate(1.0, ROUNDS, resources, 1.0)
        policy = PrimalDual(estimates, Exploration(0.2, 0.0, arms), stream.rho, delta, 5.0, True, rng(1, "p"))
        simulate(policy, stream, "skip")

    return seconds(run, repeats=2) / ROUNDS


def cvxpy_duals(spec: Any) -> Callable[[int], float]:
    """Horizon -> seconds of all duals of a run of Algorithm 4: a power of t through three measured sizes."""
    instance = CBwKInstance.draw(rng(1, "bench"), spec.dim, 10, spec.n_arms, spec.n_resources)
    spent = []
    for t in DUAL_SIZES:
        data = linear_data(instance.contexts(t, rng(1, "bench sample")), instance.mu, instance.W)
        spent.append(seconds(lambda data=data: dual_by_cvxpy(*data, instance.rho, 5.0), repeats=2))
    slope, level = np.polyfit(np.log(DUAL_SIZES), np.log(spent), 1)
    return lambda horizon: float(np.sum(np.exp(level) * np.arange(1, horizon + 1) ** slope))
