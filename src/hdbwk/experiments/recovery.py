"""Section 8.1: one estimator along the stream of one trial."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from hdbwk.core.seeds import rng
from hdbwk.environments.recovery import RecoveryInstance
from hdbwk.estimators.regressors import make_estimator
from hdbwk.experiments.grid import rounds_to_read
from hdbwk.experiments.law import shared_law
from hdbwk.simulation.recovery import recover


def run_trial(spec: Mapping[str, Any], method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Record squared error and support recovery of a method on the grid of rounds."""
    keys = ("recovery", spec["setting"], trial)
    instance = RecoveryInstance.draw(rng(seed, *keys, "instance"), **shared_law(spec))
    stream = instance.sample(spec["horizon"], rng(seed, *keys, "stream"))
    estimator = make_estimator(**spec["methods"][method])
    return recover(estimator, instance, stream, rounds_to_read(spec["horizon"], spec["every"]), progress)
