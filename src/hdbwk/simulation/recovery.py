"""Sparse recovery: an estimator meets the stream of a trial."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.environments.recovery import RecoveryInstance, RecoveryStream
from hdbwk.estimators.lasso import SequentialLasso
from hdbwk.estimators.online_ht.regressor import OnlineHT
from hdbwk.metrics.trial import squared_error, support_recovery


def recover(
    estimator: OnlineHT | SequentialLasso,
    instance: RecoveryInstance,
    stream: RecoveryStream,
    grid: Iterable[int],
    progress: bool = False,
) -> pd.DataFrame:
    """
    Feed a stream to an estimator and record, after each round of the grid, how close it is to the truth.

    Parameters
    ----------
    estimator : OnlineHT or SequentialLasso
    instance : RecoveryInstance
        The truth.
    stream : RecoveryStream
    grid : iterable of int
        The rounds after which the estimate is read, growing.
    progress : bool
        Whether to show a progress bar on stderr.
    """
    record = []
    start = 0
    for t in watched(grid, type(estimator).__name__, "readings", progress):
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
