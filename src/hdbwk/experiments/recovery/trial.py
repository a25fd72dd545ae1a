"""One estimator along the stream of one trial."""

import pandas as pd

from hdbwk.estimators.regressors import make_estimator
from hdbwk.experiments.recovery.spec import Recovery
from hdbwk.simulation.recovery import recover


def run(spec: Recovery, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Record squared error and support recovery of a method on the grid of rounds."""
    instance = spec.instance(trial, seed)
    stream = instance.sample(spec.horizon, spec.generator(seed, trial, "stream"))
    estimator = make_estimator(**spec.methods[method].model_dump())
    return recover(estimator, instance, stream, spec.rounds(spec.horizon), progress)
