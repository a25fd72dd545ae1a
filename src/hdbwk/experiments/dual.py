"""What the first rounds tell of the fluid programme: its value V_UB, its prices, and the ratio Z."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hdbwk.core.progress import watched
from hdbwk.core.seeds import rng
from hdbwk.dual.ratio import estimate_Z
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.estimators.bank import ArmBank
from hdbwk.experiments.cbwk_instance import benchmark, draw_instance


def run_trial(spec: Mapping[str, Any], method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Pull uniformly, and after each of `horizons` rounds solve the empirical programme with the estimates so far.

    `frozen_after` stops the learning (not the contexts) after so many rounds: the control.
    """
    params = dict(spec["methods"][method])
    params.pop("name")
    frozen_after = params.pop("frozen_after")
    keys = ("cbwk", spec["setting"], trial)
    instance, fluid = draw_instance(spec, trial, seed), benchmark(spec, trial, seed)
    rounds = sorted(spec["horizons"])
    stream = instance.sample(rounds[-1], rng(seed, *keys, "stream"))
    arms = rng(seed, *keys, "allocation").integers(stream.n_arms, size=len(stream))
    bank = ArmBank(spec["n_arms"], 1 + spec["n_resources"], spec["dim"], **params)

    record, start = [], 0
    for t in watched(rounds, method, "programmes", progress):
        _learn(bank, stream, arms, range(start, min(t, frozen_after or t)))
        start = t
        estimate = estimate_Z(stream.contexts[:t], bank.coef[:, 0], bank.coef[:, 1:], instance.rho)
        row = {"t": t, "value_error": abs(estimate.value - fluid.value) / fluid.value}
        row |= {"price_error": np.abs(estimate.solution.lam - fluid.lam).sum()}
        record.append({**row, "ratio": estimate.Z / (fluid.value / instance.rho.min())})
    return pd.DataFrame(record)


def _learn(bank: ArmBank, stream: CBwKStream, arms: NDArray[np.int64], rounds: range) -> None:
    """Rounds of Algorithm 1 under uniform pulls, p = 1/K."""
    for t in rounds:
        a = arms[t]
        targets = np.concatenate([[stream.rewards[t, a]], stream.consumptions[t, a]])
        bank.update(stream.contexts[t], a, targets, float(stream.n_arms))
