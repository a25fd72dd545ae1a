"""`hdbwk run`: one trial outside the workflow, with the numbers that it has inside."""

import pandas as pd

from hdbwk.experiments.base import Experiment


def follow(spec: Experiment, trial: int, seed: int, progress: bool) -> pd.DataFrame:
    """
    Run every method of an experiment on one trial.

    Returns
    -------
    DataFrame
        Columns ``method``, ``measure``, ``resource`` (empty but for capacities and prices), ``t``, ``value``.
    """
    parts = [spec.follow(method, trial, seed, progress).assign(method=method) for method in spec.methods]
    return pd.concat(parts, ignore_index=True).reindex(columns=["method", "measure", "resource", "t", "value"])


def summary(table: pd.DataFrame, spec: Experiment) -> str:
    """What each method came to, one line each."""
    return "\n".join(f"{method}: {spec.sentence(table[table['method'] == method])}" for method in spec.methods)
