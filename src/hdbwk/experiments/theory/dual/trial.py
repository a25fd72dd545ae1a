"""What the first rounds tell of the fluid programme: its value V_UB, its prices, and the ratio Z."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hdbwk.core.progress import watched
from hdbwk.dual.ratio import estimate_Z
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.estimators.registry import Bank, make_bank
from hdbwk.experiments.theory.dual.spec import Dual


def run(spec: Dual, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Pull uniformly, and after each of `horizons` rounds solve the empirical programme with the estimates so far.

    `frozen_after` stops the learning (not the contexts) after so many rounds: the control.
    """
    params = spec.methods[method]
    instance, fluid = spec.instance(trial, seed), spec.benchmark(trial, seed)
    rounds = spec.horizons_of(trial)
    stream = instance.sample(rounds[-1], spec.generator(seed, trial, "stream"))
    arms = spec.generator(seed, trial, "allocation").integers(stream.n_arms, size=len(stream))
    bank = make_bank(params.estimator, spec.n_arms, 1 + spec.n_resources, spec.dim)

    record, start = [], 0
    for t in watched(rounds, method, "programmes", progress):
        _learn(bank, stream, arms, range(start, min(t, params.frozen_after or t)))
        start = t
        estimate = estimate_Z(stream.contexts[:t], bank.coef[:, 0], bank.coef[:, 1:], instance.rho)
        row = {"t": t, "value_error": abs(estimate.value - fluid.value) / fluid.value}
        row |= {"price_error": np.abs(estimate.solution.lam - fluid.lam).sum()}
        record.append({**row, "ratio": estimate.Z / (fluid.value / instance.rho.min())})
    return pd.DataFrame(record)


def _learn(bank: Bank, stream: CBwKStream, arms: NDArray[np.int64], rounds: range) -> None:
    """Rounds of Algorithm 1 under uniform pulls, p = 1/K."""
    for t in rounds:
        a = arms[t]
        targets = np.concatenate([[stream.rewards[t, a]], stream.consumptions[t, a]])
        bank.update(stream.contexts[t], a, targets, float(stream.n_arms))
