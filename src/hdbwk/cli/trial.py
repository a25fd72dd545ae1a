"""`hdbwk run`: one trial outside the workflow, with the numbers that it has inside."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from hdbwk.experiments import bandit, cbwk, recovery
from hdbwk.experiments.cbwk_instance import benchmark, draw_instance
from hdbwk.experiments.grid import rounds_to_read


def follow(spec: Mapping[str, Any], trial: int, seed: int, progress: bool) -> pd.DataFrame:
    """
    Run every method of an experiment on one trial.

    Returns
    -------
    DataFrame
        Columns ``method``, ``measure``, ``resource`` (empty but for capacities and prices), ``t``, ``value``.
    """
    run = {"recovery": _recovery, "bandit": _bandit, "cbwk": _cbwk}[spec["kind"]]
    parts = []
    for method in spec["methods"]:
        table = run(spec, method, trial, seed, progress)
        table.insert(0, "method", method)
        parts.append(table)
    return pd.concat(parts, ignore_index=True).reindex(columns=["method", "measure", "resource", "t", "value"])


def summary(table: pd.DataFrame, spec: Mapping[str, Any]) -> str:
    """What each method came to, one line each."""
    lines = []
    for method in spec["methods"]:
        rows = table[table["method"] == method]
        last = {str(measure): part.iloc[-1]["value"] for measure, part in rows.groupby("measure", sort=False)}
        lines.append(f"{method}: " + _sentence(last, rows, spec))
    return "\n".join(lines)


def _sentence(last: Mapping[str, float], rows: pd.DataFrame, spec: Mapping[str, Any]) -> str:
    if spec["kind"] == "recovery":
        found = round(last["support"] * spec["sparsity"])
        return f"squared error {last['error']:.4g}, {found} of {spec['sparsity']} coordinates found"
    text = f"regret {last['regret']:.1f} at T = {rows['t'].max()}"
    if spec["kind"] == "bandit":
        return text
    stop = last["stopping time"]
    end = "played to the end" if stop == spec["horizon"] else f"a capacity ran out after {stop:.0f} rounds"
    left = rows[rows["measure"] == "remaining"].groupby("resource")["value"].last()
    return f"{text}, {end}, {left.min():.0%} left of the scarcest capacity"


def _recovery(spec: Mapping[str, Any], method: str, trial: int, seed: int, progress: bool) -> pd.DataFrame:
    table = recovery.run_trial(spec, method, trial, seed, progress)
    return table.melt("t", ["error", "support"], var_name="measure")


def _bandit(spec: Mapping[str, Any], method: str, trial: int, seed: int, progress: bool) -> pd.DataFrame:
    table = bandit.run_trial(spec, method, trial, seed, progress)
    return table[table["horizon"] == spec["horizon"]].melt("t", ["regret"], var_name="measure")


def _cbwk(spec: Mapping[str, Any], method: str, trial: int, seed: int, progress: bool) -> pd.DataFrame:
    horizon = spec["horizon"]
    record = cbwk.play(spec, method, trial, seed, horizon, benchmark(spec, trial, seed).value, progress)
    rounds = rounds_to_read(horizon, spec["every"])
    regret = pd.DataFrame({"t": rounds, "regret": [record.regret[t - 1] for t in rounds]}).melt("t", var_name="measure")
    stop = pd.DataFrame({"t": [horizon], "measure": "stopping time", "value": record.stopping_time})
    inside = cbwk.inside_of(record, draw_instance(spec, trial, seed).rho * horizon)
    return pd.concat([regret, stop, inside.melt(["t", "resource"], var_name="measure")], ignore_index=True)
