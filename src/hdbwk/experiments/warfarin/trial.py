"""One policy on the patients in the order of a trial."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import linprog

from hdbwk.dual.explicit import offline_value
from hdbwk.environments.bandit import BanditStream
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.environments.recorded import recorded_stream
from hdbwk.experiments.methods import policy_params
from hdbwk.experiments.warfarin.data import outcomes, patients
from hdbwk.experiments.warfarin.spec import Supplies, Warfarin
from hdbwk.policies.parts.protocol import InstanceInfo
from hdbwk.policies.registry import make_policy
from hdbwk.simulation.loop import Record, simulate

UNLIMITED = "unlimited"


def run(spec: Warfarin, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Shares of right doses along the patients, beside what can be had in hindsight."""
    tables = []
    for scarcity, supplies in settings(spec, method).items():
        stream = stream_of(spec, trial, seed, supplies)
        record = play(spec, method, trial, seed, stream, progress)
        rounds = spec.rounds(spec.horizon)
        right = np.cumsum(record.reward) / np.arange(1, len(stream) + 1)
        rows = {"scarcity": scarcity, "t": rounds, "right": [right[t - 1] for t in rounds]}
        rows |= {"served": float((record.arm >= 0).mean()), "stopping_time": record.stopping_time}
        tables.append(pd.DataFrame({**rows, **hindsight(stream)}))
    return pd.concat(tables, ignore_index=True)


def settings(spec: Warfarin, method: str) -> dict[str, Supplies | None]:
    """The capacities that a method meets: none, or those of each scarcity if it is made for knapsacks."""
    return dict(spec.scarcities) if spec.methods[method].made_for == "knapsacks" else {UNLIMITED: None}


def stream_of(spec: Warfarin, trial: int, seed: int, supplies: Supplies | None) -> BanditStream | CBwKStream:
    """The patients in the order of a trial, the same for all methods."""
    everybody = patients(spec.least_count)
    order = spec.generator(seed, trial, "order").permutation(len(everybody.group))[: spec.horizon]
    rewards, consumptions = outcomes(everybody.group[order], spec.wrong_visits)
    contexts = everybody.contexts.iloc[order]
    return recorded_stream(contexts, rewards, *(() if supplies is None else (consumptions, supplies.rho)))


def play(
    spec: Warfarin, method: str, trial: int, seed: int, stream: BanditStream | CBwKStream, progress: bool = False
) -> Record:
    """What a policy does with the patients; it is told the capacities, and nothing of the future."""
    params: Any = spec.methods[method]
    rho = stream.rho if isinstance(stream, CBwKStream) else np.zeros(0)
    generator = spec.generator(seed, trial, "policy")
    info = InstanceInfo(stream.contexts.shape[1], stream.n_arms, len(stream), generator, rho=rho)
    policy = make_policy(params.name, info, **policy_params(params))
    return simulate(policy, stream, params.exit_rule, progress)


def hindsight(stream: BanditStream | CBwKStream) -> dict[str, float]:
    """Shares of right doses that can be had in hindsight: by fixed shares of the arms, and by who knows everybody."""
    if not isinstance(stream, CBwKStream):
        return {"fixed_shares": float(stream.means.mean(axis=0).max()), "optimum": 1.0}
    return {
        "fixed_shares": fixed_shares(stream),
        "optimum": float(offline_value(stream, tol=1e-6).value) / len(stream),
    }


def fixed_shares(stream: CBwKStream) -> float:
    """The best mean reward of arms that are pulled with fixed probabilities, within the capacities on average."""
    answer = linprog(
        -stream.means.mean(axis=0),
        A_ub=np.vstack([stream.consumption_means.mean(axis=0).T, np.ones(stream.n_arms)]),
        b_ub=np.append(stream.rho, 1.0),
    )
    return float(-answer.fun)
