"""Lemma "Upperbound": the offline optimum of a stream against the fluid value."""

from dataclasses import replace

import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.dual.explicit import offline_value
from hdbwk.experiments.theory.offline.spec import Offline


def run(spec: Offline, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Record V_off / V_UB at each horizon; a `capacity_scale` above 1 gives V_off too much: the control."""
    scale = spec.methods[method].capacity_scale
    instance, value = spec.instance(trial, seed), spec.benchmark(trial, seed).value
    record = []
    for horizon in watched(sorted(spec.horizons), method, "horizons", progress):
        stream = instance.sample(horizon, spec.generator(seed, trial, "stream"))
        best = offline_value(replace(stream, rho=scale * stream.rho)).value
        record.append({"t": horizon, "ratio": best / (horizon * value)})
    return pd.DataFrame(record)
