"""The instances of Section 8.3, and their fluid benchmarks."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd
from pydantic import Field, Strict

from hdbwk.core.spec import Flag, Positive, Spec
from hdbwk.core.validation import Floats
from hdbwk.dual.fluid import FluidValue, fluid_value
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.experiments.base import Arms, Experiment, Horizons, Rounds, Signal, Trials
from hdbwk.experiments.instances import Varied


class Benchmark(NamedTuple):
    """V_UB / T of an instance, and the optimal prices."""

    value: float
    lam: Floats


class Capacity(Spec):
    """The law of the average capacities C_i / T."""

    low: Positive = Field(description="least C_i / T")
    high: Positive = Field(description="largest C_i / T")

    def faults(self) -> Iterator[str]:
        if self.low > self.high:
            yield f"@low = {self.low} exceeds @high = {self.high}"


class KnapsackLaw(Varied):
    """What decides the instances and their benchmarks: experiments that agree on it share them."""

    seeds = "cbwk"
    n_arms: Arms = Field(description="K")
    n_resources: Annotated[int, Strict(), Field(ge=1, le=100)] = Field(description="m")
    consumption: Signal = Field(
        description="law of the non-zero entries of W, as `signal`; every row of W_a has the support of mu_a"
    )
    capacity: Capacity = Field(description="average capacities C_i / T are U[low, high]")
    capacity_scale: Positive = Field(1.0, description="a factor on all capacities, to sweep over")
    nonnegative: Flag = Field(
        description="contexts in [0, 1] and consumption cut at 0, so that b >= 0 as the model says"
    )
    fluid_contexts: Annotated[int, Strict(), Field(ge=100, le=1_000_000)] = Field(
        description="contexts on which V_UB is evaluated, at least; more are drawn until its standard error is below "
        "0.1%"
    )

    def instance(self, trial: int, seed: int) -> CBwKInstance:
        """The instance of a trial."""
        return CBwKInstance.draw(
            self.generator(seed, trial, "instance"),
            n_arms=self.n_arms,
            n_resources=self.n_resources,
            consumption=self.consumption.law(self.sparsity),
            capacity=(self.capacity_scale * self.capacity.low, self.capacity_scale * self.capacity.high),
            nonnegative=self.nonnegative,
            **self.shared(),
        )

    def benchmark(self, trial: int, seed: int) -> FluidValue:
        """V_UB / T of a trial's instance, on contexts of its own."""
        return fluid_value(self.instance(trial, seed), self.generator(seed, trial, "fluid"), n=self.fluid_contexts)

    def largest_eigenvalue(self, size: int) -> float:
        return size / 3 if self.nonnegative else super().largest_eigenvalue(size)


class Knapsacks(KnapsackLaw, Experiment):
    """An experiment on such instances over growing horizons."""

    horizons: Horizons = Field(description="T of the sweep over horizons")
    long_horizons: list[Rounds] = Field([], description="longer T, for the first `long_trials` trials alone")
    long_trials: Trials = Field(10, description="how many trials have `long_horizons`")

    def all_horizons(self) -> list[int]:
        return sorted({*super().all_horizons(), *self.long_horizons})

    def longer(self) -> int:
        return self.long_trials if self.long_horizons else 0

    def horizons_of(self, trial: int) -> list[int]:
        """The sweep over horizons for a trial."""
        return sorted({*self.horizons, *(self.long_horizons if trial < self.long_trials else [])})


def benchmarks(law: KnapsackLaw, trials: Iterable[int], seed: int) -> pd.DataFrame:
    """V_UB / T with its standard error, and the optimal prices, one row for each trial and size."""
    rows = []
    for trial, (size, sized) in product(trials, law.sizes()):
        fluid = sized.benchmark(trial, seed)
        row: dict[str, float] = {"trial": trial} if size is None else {"trial": trial, "size": size}
        row |= {"value": fluid.value, "standard_error": fluid.standard_error, "gap": fluid.gap}
        row |= {f"price_{i}": price for i, price in enumerate(fluid.lam)}
        row |= {f"slack_{i}": slack for i, slack in enumerate(fluid.slack)}
        rows.append(row)
        print(f"trial {trial}: V_UB / T = {fluid.value:.4f} +- {fluid.standard_error:.4f}", flush=True)
    return pd.DataFrame(rows)


def read_benchmarks(table: pd.DataFrame) -> dict[Any, Benchmark]:
    """What `benchmarks` wrote, by trial, or by trial and size."""
    prices = table.filter(regex=r"^price_\d+$").to_numpy()
    places = zip(table["trial"], table["size"], strict=True) if "size" in table else table["trial"]
    return {
        place: Benchmark(value, row[np.isfinite(row)])
        for place, value, row in zip(places, table["value"], prices, strict=True)
    }
