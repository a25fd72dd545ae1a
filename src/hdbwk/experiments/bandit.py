"""Section 8.2: one policy on the rounds of one trial, at every horizon of the sweep."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from hdbwk.core.seeds import rng
from hdbwk.environments.bandit import BanditInstance, BanditStream
from hdbwk.experiments.grid import rounds_to_read
from hdbwk.experiments.law import shared_law
from hdbwk.policies.protocol import InstanceInfo
from hdbwk.policies.registry import make_policy, policy_class
from hdbwk.simulation.loop import simulate


def run_trial(spec: Mapping[str, Any], method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Record the regret at the end of each horizon, and along the rounds of the horizon that the figure shows.

    A policy that does not know T plays the longest horizon once and is read at the others.
    """
    keys = ("bandit", spec["setting"], trial)
    instance = BanditInstance.draw(rng(seed, *keys, "instance"), n_arms=spec["n_arms"], **shared_law(spec))
    horizons = sorted({*spec["horizons"], spec["horizon"]})
    stream = instance.sample(horizons[-1], rng(seed, *keys, "stream"))
    params = dict(spec["methods"][method])
    name = params.pop("name")

    def play(rounds: BanditStream) -> tuple[Any, int]:
        info = InstanceInfo(spec["dim"], spec["n_arms"], len(rounds), rng(seed, *keys, "policy"), instance)
        policy = make_policy(name, info, **params)
        return simulate(policy, rounds, progress=progress).regret, getattr(policy, "unconverged", 0)

    anytime = not policy_class(name).knows_horizon
    longest = play(stream) if anytime else None
    tables = []
    for horizon in horizons:
        regret, unconverged = longest or play(stream[:horizon])
        rounds = rounds_to_read(horizon, spec["every"] if horizon == spec["horizon"] else horizon)
        rows = {"horizon": horizon, "t": rounds, "regret": [regret[t - 1] for t in rounds], "unconverged": unconverged}
        tables.append(pd.DataFrame(rows))
    return pd.concat(tables, ignore_index=True)
