"""The instances of Section 8.3, and their fluid benchmarks."""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import pandas as pd

from hdbwk.core.seeds import rng
from hdbwk.dual.fluid import FluidValue, fluid_value
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.environments.signals import SignalLaw
from hdbwk.experiments.law import shared_law
from hdbwk.experiments.sweeps import sizes


def draw_instance(spec: Mapping[str, Any], trial: int, seed: int) -> CBwKInstance:
    """The instance of a trial."""
    return CBwKInstance.draw(
        rng(seed, "cbwk", spec["setting"], trial, "instance"),
        n_arms=spec["n_arms"],
        n_resources=spec["n_resources"],
        consumption=SignalLaw(**spec["consumption"]),
        capacity=(spec["capacity"]["low"], spec["capacity"]["high"]),
        nonnegative=spec["nonnegative"],
        **shared_law(spec),
    )


def benchmark(spec: Mapping[str, Any], trial: int, seed: int) -> FluidValue:
    """V_UB / T of a trial's instance, on contexts of its own."""
    instance = draw_instance(spec, trial, seed)
    return fluid_value(instance, rng(seed, "cbwk", spec["setting"], trial, "fluid"), n=spec["fluid_contexts"])


def benchmarks(spec: Mapping[str, Any], trials: Iterable[int], seed: int) -> pd.DataFrame:
    """V_UB / T with its standard error, and the optimal prices, one row for each trial and size."""
    rows = []
    for trial, (size, sized) in product(trials, sizes(spec)):
        fluid = benchmark(sized, trial, seed)
        row = {"trial": trial} if size is None else {"trial": trial, "size": size}
        row |= {"value": fluid.value, "standard_error": fluid.standard_error, "gap": fluid.gap}
        row |= {f"price_{i}": price for i, price in enumerate(fluid.lam)}
        row |= {f"slack_{i}": slack for i, slack in enumerate(fluid.slack)}
        rows.append(row)
        print(f"trial {trial}: V_UB / T = {fluid.value:.4f} +- {fluid.standard_error:.4f}", flush=True)
    return pd.DataFrame(rows)
