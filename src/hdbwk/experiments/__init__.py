"""From a resolved experiment of the configuration to the tidy table of some of its trials."""

import importlib
import time
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd


def run_trials(
    spec: Mapping[str, Any],
    method: str,
    trials: Iterable[int],
    seed: int,
    values: Mapping[int, float] | None = None,
) -> pd.DataFrame:
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
    values : mapping, optional
        V_UB / T of each trial of a CBwK experiment, if they are known; else they are computed.

    Returns
    -------
    DataFrame
        One row for each trial and each round that is read; ``attrs["seconds"]`` says how long the trials took.
    """
    run_trial = importlib.import_module(f"hdbwk.experiments.{spec['kind']}").run_trial
    tables, total = [], 0.0
    for trial in trials:
        start = time.perf_counter()
        try:
            known = {} if values is None else {"value": values[trial]}
            table = run_trial(spec, method, trial, seed, **known)
        except Exception as error:
            error.add_note(f"while simulating {method}, trial {trial}, seed {seed}")
            raise
        seconds = time.perf_counter() - start
        total += seconds
        table.insert(0, "method", method)
        table.insert(1, "trial", trial)
        tables.append(table)
        print(f"{method}: trial {trial} took {seconds:.2f} s", flush=True)
    result = pd.concat(tables, ignore_index=True)
    result.attrs["seconds"] = total
    return result
