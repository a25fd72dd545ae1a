"""Section 8.3: one policy on the rounds of one trial, with budgets, at every horizon of the sweep."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from hdbwk.experiments.cbwk_instance import benchmark, draw_instance
from hdbwk.experiments.grid import rounds_to_read
from hdbwk.policies.protocol import InstanceInfo
from hdbwk.policies.registry import make_policy
from hdbwk.seeds import rng
from hdbwk.simulation.loop import Record, simulate


def run_trial(spec: Mapping[str, Any], method: str, trial: int, seed: int, value: float | None = None) -> pd.DataFrame:
    """
    Record the regret at the end of each horizon, and along the rounds of the horizon that the figure shows.

    Capacities grow with T, so every policy is run anew for every horizon.
    """
    value = benchmark(spec, trial, seed).value if value is None else value
    tables = []
    for horizon in sorted({*spec["horizons"], spec["horizon"]}):
        record = play(spec, method, trial, seed, horizon, value)
        rounds = rounds_to_read(horizon, spec["every"] if horizon == spec["horizon"] else horizon)
        rows = {"horizon": horizon, "t": rounds, "regret": [record.regret[t - 1] for t in rounds]}
        tables.append(pd.DataFrame({**rows, "stopping_time": record.stopping_time}))
    return pd.concat(tables, ignore_index=True)


def play(spec: Mapping[str, Any], method: str, trial: int, seed: int, horizon: int, value: float) -> Record:
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
    return simulate(make_policy(name, info, **params), stream, exit_rule)


def budgets(spec: Mapping[str, Any], trial: int, seed: int) -> pd.DataFrame:
    """Remaining capacity and price of every resource over the rounds of one trial, for every method."""
    value = benchmark(spec, trial, seed).value
    horizon = spec["horizon"]
    tables = []
    for method in spec["methods"]:
        record = play(spec, method, trial, seed, horizon, value)
        capacity = draw_instance(spec, trial, seed).rho * horizon
        remaining = 1 - record.consumption.cumsum(axis=0) / capacity
        for i in range(capacity.size):
            columns = {"t": range(1, horizon + 1), "remaining": remaining[:, i], "price": record.prices[:, i]}
            tables.append(pd.DataFrame({"method": method, "resource": i, **columns}))
    return pd.concat(tables, ignore_index=True)
