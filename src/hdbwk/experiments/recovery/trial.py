"""One estimator along the stream of one trial."""

import numpy as np
import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.estimators.regressors import make_estimator
from hdbwk.experiments.recovery.spec import Recovery
from hdbwk.metrics.trial import squared_error, support_recovery


def run(spec: Recovery, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Record, after each round of the grid, how close the estimate of a method is to the truth."""
    instance = spec.instance(trial, seed)
    stream = instance.sample(spec.horizon, spec.generator(seed, trial, "stream"))
    estimator = make_estimator(**spec.methods[method].model_dump())
    record, start = [], 0
    for t in watched(spec.rounds(spec.horizon), type(estimator).__name__, "readings", progress):
        estimator.partial_fit(stream.contexts[start:t], stream.rewards[start:t])
        start = t
        estimate = estimator.coef_
        record.append(
            {
                "t": t,
                "error": squared_error(estimate, instance.mu),
                "support": support_recovery(estimate, instance.mu),
                "nonzeros": np.count_nonzero(estimate),
                "unconverged": getattr(estimator, "unconverged_", False),
            }
        )
    return pd.DataFrame(record)
