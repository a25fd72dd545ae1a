"""One policy on the rounds of one trial, with budgets, at every horizon of the sweep."""

from typing import Any, Literal

import numpy as np
import pandas as pd

from hdbwk.core.validation import Floats
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.experiments.cbwk.law import Benchmark
from hdbwk.experiments.cbwk.spec import CBwK
from hdbwk.experiments.methods import policy_params
from hdbwk.metrics.decomposition import regret_terms
from hdbwk.policies.parts.protocol import InstanceInfo, Policy
from hdbwk.policies.registry import make_policy
from hdbwk.simulation.loop import Record, simulate

Rule = Literal["exit", "skip"]


def run(
    spec: CBwK, method: str, trial: int, seed: int, progress: bool = False, value: Benchmark | None = None
) -> pd.DataFrame:
    """
    Record the regret and its terms at the end of each horizon, and along the rounds of the horizon that is shown.

    Capacities grow with T, so every policy is run anew for every horizon.
    """
    fluid = value or spec.benchmark(trial, seed)
    tables = []
    for horizon in sorted({spec.horizon, *spec.horizons_of(trial)}):
        policy, stream, exit_rule = start(spec, method, trial, seed, horizon, fluid.value)
        record = simulate(policy, stream, exit_rule, progress)
        rounds = spec.rounds(horizon)
        rows = {"horizon": horizon, "t": rounds, "regret": [record.regret[t - 1] for t in rounds]}
        rows |= {"fluid_value": horizon * fluid.value, "ratio": fluid.value / stream.rho.min()}
        rows |= {"stopping_time": record.stopping_time, "largest_error": largest_error(policy, spec, trial, seed)}
        terms = regret_terms(record, stream, fluid.lam).cumsum().loc[rounds].reset_index(drop=True)
        tables.append(pd.concat([pd.DataFrame(rows), terms], axis=1))
    return pd.concat(tables, ignore_index=True)


def largest_error(policy: Any, spec: CBwK, trial: int, seed: int) -> float:
    """The largest squared error over all mu_a and all rows of W_a at the end of a run; no estimates count as zero."""
    instance = spec.instance(trial, seed)
    truth = np.concatenate([instance.mu[:, None], instance.W], axis=1)
    estimates = policy.arms.coef if hasattr(policy, "arms") else 0.0
    return float(((estimates - truth) ** 2).sum(axis=2).max())


def start(
    spec: CBwK, method: str, trial: int, seed: int, horizon: int, value: float
) -> tuple[Policy, CBwKStream, Rule]:
    """A policy, the stream that it plays, and what happens when a capacity is exhausted."""
    params: Any = spec.methods[method]
    instance = spec.instance(trial, seed)
    stream = instance.sample(horizon, spec.generator(seed, trial, "stream"), value)
    generator = spec.generator(seed, trial, "policy")
    info = InstanceInfo(spec.dim, spec.n_arms, horizon, generator, truth=instance, rho=instance.rho, value=value)
    return make_policy(params.name, info, **policy_params(params)), stream, params.exit_rule


def budgets(spec: CBwK, trial: int, seed: int) -> pd.DataFrame:
    """Remaining capacity and price of every resource over the rounds of one trial, for every method."""
    value = spec.benchmark(trial, seed).value
    capacity = spec.instance(trial, seed).rho * spec.horizon
    tables = []
    for method in spec.methods:
        inside = inside_of(simulate(*start(spec, method, trial, seed, spec.horizon, value)), capacity)
        inside.insert(0, "method", method)
        tables.append(inside)
    return pd.concat(tables, ignore_index=True)


def inside_of(record: Record, capacity: Floats) -> pd.DataFrame:
    """Share of each capacity that is left, and price of each resource, after the rounds of a run."""
    remaining = 1 - record.consumption.cumsum(axis=0) / capacity
    rounds = range(1, len(remaining) + 1)
    parts = [
        pd.DataFrame({"resource": i, "t": rounds, "remaining": remaining[:, i], "price": record.prices[:, i]})
        for i in range(capacity.size)
    ]
    return pd.concat(parts, ignore_index=True)


def follow(spec: CBwK, method: str, trial: int, seed: int, progress: bool) -> pd.DataFrame:
    """Regret, capacities and prices of one run, and when it stopped."""
    value = spec.benchmark(trial, seed).value
    record = simulate(*start(spec, method, trial, seed, spec.horizon, value), progress=progress)
    rounds = spec.rounds(spec.horizon)
    regret = pd.DataFrame({"t": rounds, "regret": [record.regret[t - 1] for t in rounds]}).melt("t", var_name="measure")
    stop = pd.DataFrame({"t": [spec.horizon], "measure": "stopping time", "value": record.stopping_time})
    inside = inside_of(record, spec.instance(trial, seed).rho * spec.horizon)
    return pd.concat([regret, stop, inside.melt(["t", "resource"], var_name="measure")], ignore_index=True)
