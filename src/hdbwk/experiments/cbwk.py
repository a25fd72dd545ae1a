"""Section 8.3: one policy on the rounds of one trial, with budgets, at every horizon of the sweep."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from hdbwk.core.seeds import rng
from hdbwk.experiments.cbwk_instance import benchmark, draw_instance
from hdbwk.experiments.grid import rounds_to_read
from hdbwk.policies.protocol import Floats, InstanceInfo
from hdbwk.policies.registry import make_policy
from hdbwk.simulation.loop import Record, simulate


def run_trial(
    spec: Mapping[str, Any], method: str, trial: int, seed: int, progress: bool = False, value: float | None = None
) -> pd.DataFrame:
    """
    Record the regret at the end of each horizon, and along the rounds of the horizon that the figure shows.

    Capacities grow with T, so every policy is run anew for every horizon.
    """
    value = benchmark(spec, trial, seed).value if value is None else value
    tables = []
    for horizon in sorted({*spec["horizons"], spec["horizon"]}):
        record = play(spec, method, trial, seed, horizon, value, progress)
        rounds = rounds_to_read(horizon, spec["every"] if horizon == spec["horizon"] else horizon)
        rows = {"horizon": horizon, "t": rounds, "regret": [record.regret[t - 1] for t in rounds]}
        tables.append(pd.DataFrame({**rows, "stopping_time": record.stopping_time}))
    return pd.concat(tables, ignore_index=True)


def play(
    spec: Mapping[str, Any], method: str, trial: int, seed: int, horizon: int, value: float, progress: bool = False
) -> Record:
    """One run of one policy."""
    params = dict(spec["methods"][method])
    name, exit_rule = params.pop("name"), params.pop("exit_rule")
    keys = ("cbwk", spec["setting"], trial)
    instance = draw_instance(spec, trial, seed)
    stream = instance.sample(horizon, rng(seed, *keys, "stream"), value)
    info = InstanceInfo(
        spec["dim"],
        spec["n_arms"],
        horizon,
        rng(seed, *keys, "policy"),
        truth=instance,
        rho=instance.rho,
        value=value,
    )
    return simulate(make_policy(name, info, **params), stream, exit_rule, progress)


def budgets(spec: Mapping[str, Any], trial: int, seed: int) -> pd.DataFrame:
    """Remaining capacity and price of every resource over the rounds of one trial, for every method."""
    value = benchmark(spec, trial, seed).value
    horizon = spec["horizon"]
    tables = []
    for method in spec["methods"]:
        record = play(spec, method, trial, seed, horizon, value)
        inside = inside_of(record, draw_instance(spec, trial, seed).rho * horizon)
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
