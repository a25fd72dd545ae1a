"""Processor seconds for one round of an estimator, early and late in a stream: other work is left out."""

import time
from typing import Any

import numpy as np
import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.estimators.regressors import make_estimator
from hdbwk.experiments.theory.cost.spec import Cost

HALVINGS = 4  # rounds are timed at T, T/2, ..., T/2^4


def run(spec: Cost, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Record the mean time of a round, one row at a time, over `read_every` rounds that end at T/16, T/8, ..., T.

    `bytes` is the size of all arrays that the estimator must remember for its next round.
    """
    stream = spec.instance(trial, seed).sample(spec.horizon, spec.generator(seed, trial, "stream"))
    X, y = stream.contexts, stream.rewards
    estimator = make_estimator(**spec.methods[method].model_dump())
    record, seen = [], 0
    ends = [spec.horizon >> halvings for halvings in range(HALVINGS, -1, -1)]
    for end in watched(ends, method, "readings", progress):
        first = end - spec.read_every
        estimator.partial_fit(X[seen:first], y[seen:first])
        start = time.process_time()
        for t in range(first, end):
            estimator.partial_fit(X[t : t + 1], y[t : t + 1])
        seconds = (time.process_time() - start) / spec.read_every
        record.append({"t": end, "seconds_per_round": seconds, "bytes": remembered(estimator)})
        seen = end
    return pd.DataFrame(record)


def remembered(part: Any) -> int:
    """The bytes of all arrays that an estimator, or a part of it, holds."""
    if isinstance(part, np.ndarray):
        return part.nbytes
    parts = part if isinstance(part, tuple | list) else getattr(part, "__dict__", {}).values()
    return sum(map(remembered, parts))
