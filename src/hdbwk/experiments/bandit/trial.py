"""One policy on the rounds of one trial, at every horizon of the sweep."""

from typing import Any

import pandas as pd

from hdbwk.environments.bandit import BanditInstance, BanditStream
from hdbwk.experiments.bandit.spec import Bandit
from hdbwk.experiments.methods import policy_params
from hdbwk.policies.parts.protocol import InstanceInfo, Policy
from hdbwk.policies.registry import make_policy
from hdbwk.simulation.loop import simulate


def run(spec: Bandit, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Record the regret at the end of each horizon, and along the rounds of the horizon that the figure shows.

    A policy that does not know T plays the longest horizon once and is read at the others.
    """
    instance = spec.instance(trial, seed)
    horizons = spec.all_horizons()
    stream = instance.sample(horizons[-1], spec.generator(seed, trial, "stream"))
    tables: list[pd.DataFrame] = []
    policy: Any = None
    for horizon in reversed(horizons):
        if policy is None or policy.knows_horizon:
            policy = _policy(spec, method, trial, seed, horizon, instance)
            regret = simulate(policy, stream[:horizon], progress=progress).regret
        rounds = spec.rounds(horizon)
        rows = {"horizon": horizon, "t": rounds, "regret": [regret[t - 1] for t in rounds]}
        tables.append(pd.DataFrame({**rows, "unconverged": getattr(policy, "unconverged", 0)}))
    return pd.concat(tables[::-1], ignore_index=True)


def start(spec: Bandit, method: str, trial: int, seed: int, horizon: int) -> tuple[Policy, BanditStream]:
    """A policy, and the stream that it plays."""
    instance = spec.instance(trial, seed)
    stream = instance.sample(horizon, spec.generator(seed, trial, "stream"))
    return _policy(spec, method, trial, seed, horizon, instance), stream


def _policy(spec: Bandit, method: str, trial: int, seed: int, horizon: int, instance: BanditInstance) -> Policy:
    params: Any = spec.methods[method]
    info = InstanceInfo(spec.dim, spec.n_arms, horizon, spec.generator(seed, trial, "policy"), instance)
    return make_policy(params.name, info, **policy_params(params))
