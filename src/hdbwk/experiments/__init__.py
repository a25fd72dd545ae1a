"""From a resolved experiment of the configuration to the tidy table of some of its trials."""

import importlib
import time
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.experiments.sweeps import sizes


def run_trials(
    spec: Mapping[str, Any],
    method: str,
    trials: Iterable[int],
    seed: int,
    values: Mapping[Any, float] | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """
    Simulate one method on some trials of an experiment.

    Parameters
    ----------
    spec : mapping
        A resolved experiment, see `hdbwk.pipeline.config.experiment`; its ``kind`` names the module below this package.
    method : str
        A key of ``spec["methods"]``.
    trials : iterable of int
        Which trials; each draws its own instance from seeds that depend on nothing else.
    seed : int
        The root seed.
    values : mapping, optional
        V_UB / T of each trial of a CBwK experiment (in a sweep, of each trial and size), if they are known; else they
        are computed.
    progress : bool
        Whether to show progress bars on stderr, instead of a line on stdout for each trial.

    Returns
    -------
    DataFrame
        One row for each trial, each size of a sweep and each round that is read; ``attrs["seconds"]`` is the
        processor time of the trials.
    """
    run_trial = importlib.import_module(f"hdbwk.experiments.{spec['kind']}").run_trial
    tables, total = [], 0.0
    for trial in watched(trials, method, "trials", progress):
        start = time.process_time()
        for size, sized in sizes(spec):
            options: dict[str, Any] = {"progress": True} if progress else {}
            options |= {} if values is None else {"value": values[trial if size is None else (trial, size)]}
            try:
                table = run_trial(sized, method, trial, seed, **options)
            except Exception as error:
                error.add_note(f"while simulating {method}, trial {trial}, seed {seed}")
                raise
            place = {"method": method, "trial": trial} | ({} if size is None else {"size": size})
            tables.append(pd.concat([pd.DataFrame(place, index=table.index), table], axis=1))
        seconds = time.process_time() - start
        total += seconds
        if not progress:
            print(f"{method}: trial {trial} took {seconds:.2f} s", flush=True)
    result = pd.concat(tables, ignore_index=True)
    result.attrs["seconds"] = total
    return result
