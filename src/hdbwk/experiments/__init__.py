"""From a resolved experiment of the configuration to the tidy table of some of its trials."""

import importlib
import time
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd


def run_trials(spec: Mapping[str, Any], method: str, trials: Iterable[int], seed: int) -> pd.DataFrame:
    """
    Simulate one method on some trials of an experiment.

    Parameters
    ----------
    spec : mapping
        A resolved experiment, see `hdbwk.config.experiment`; its ``kind`` names the module below this package.
    method : str
        A key of ``spec["methods"]``.
    trials : iterable of int
        Which trials; each draws its own instance from seeds that depend on nothing else.
    seed : int
        The root seed.

    Returns
    -------
    DataFrame
        One row for each trial and each round that is read.
    """
    run_trial = importlib.import_module(f"hdbwk.experiments.{spec['kind']}").run_trial
    tables = []
    for trial in trials:
        start = time.perf_counter()
        table = run_trial(spec, method, trial, seed)
        table.insert(0, "method", method)
        table.insert(1, "trial", trial)
        tables.append(table)
        print(f"{method}: trial {trial} took {time.perf_counter() - start:.2f} s", flush=True)
    return pd.concat(tables, ignore_index=True)
