"""One row of the rates ledger, and how its values are read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hdbwk.ledgers.trials import Trials
from hdbwk.metrics.decomposition import TERMS

Array = NDArray[np.float64]
Read = Callable[[Trials], pd.DataFrame]
Bound = Callable[[Mapping[str, Any], Array], Any]


@dataclass(frozen=True)
class Power:
    """The bound size^exponent, for what is stated without constants: its level means nothing."""

    exponent: float

    def __call__(self, spec: Mapping[str, Any], size: Array) -> Array:
        """The bound at each size."""
        return size**self.exponent


@dataclass(frozen=True)
class Rate:
    """
    One statement of the paper, what is set against what, and the bound.

    Attributes
    ----------
    family, result, line : str, str, int
        Kind of statement, its name in the paper, its line in the paper's source.
    says, axis : str
        What is measured, and what the sizes are.
    experiment : str
        The experiment whose parameters the bound takes.
    read : callable
        From the trials to one row for each trial and one column for each size.
    bound : callable
        From the parameters of the experiment and the sizes to the bound at each of them, C = 1.
    departs : str
        Conditions of the statement that the experiment does not meet, or schedules that differ.
    control : bool
        Whether the row must break its bound.
    measures : "growth" or "level"
        Whether the growth in the size is judged, or the value at the largest size, for bounds without a constant.
    parts : callable, optional
        From the trials to what the terms of the proof make of a regret.
    trivial : callable, optional
        From the trials to a level at the largest size that no regret exceeds by much, whatever is done: V_UB, T R_max.
    """

    family: str
    result: str
    line: int
    says: str
    axis: str
    experiment: str
    read: Read
    bound: Bound
    departs: str = ""
    control: bool = False
    measures: Literal["growth", "level"] = "growth"
    parts: Callable[[Trials], str] | None = None
    trivial: Callable[[Trials], float] | None = None


def rounds(experiment: str, method: str, column: str) -> Read:
    """A column over the horizons of one experiment."""
    return lambda trials: trials.over_horizons(experiment, method, column)


def swept(label: str, method: str, column: str) -> Read:
    """A column over the values of a sweep."""
    return lambda trials: trials.over_sweep(label, method, column)


def renamed(read: Read, size: Callable[[float], float]) -> Read:
    """The same values at sizes that follow from the columns' names."""
    return lambda trials: read(trials).rename(columns=size).sort_index(axis=1)


def by_ratio(label: str, method: str, column: str) -> Read:
    """A column over the values of a sweep, each called by the mean of V_UB / C_min."""

    def read(trials: Trials) -> pd.DataFrame:
        ratios = trials.over_sweep(label, method, "ratio").mean()
        return trials.over_sweep(label, method, column).rename(columns=ratios.to_dict()).sort_index(axis=1)

    return read


def along_sizes(label: str, method: str, rounds: int) -> Read:
    """The regret after `rounds` rounds times the size, over a sweep."""
    return lambda trials: trials.along_sizes(label, method, rounds)


def ratio(first: Read, second: Read) -> Read:
    """The ratio of two readings of the same trials."""
    return lambda trials: first(trials) / second(trials)


def total(*reads: Read) -> Read:
    """The sum of readings of the same trials."""
    return lambda trials: sum((read(trials) for read in reads[1:]), start=reads[0](trials))


def labelled(experiment: str, methods: Mapping[float, str], column: str) -> Read:
    """A column at the longest horizon, for methods that stand for sizes."""
    return lambda trials: pd.DataFrame(
        {size: trials.longest(experiment, method, column) for size, method in methods.items()}
    )


def parts(experiment: str, method: str) -> Callable[[Trials], str]:
    """The share of each term of the proofs at the largest size, and its exponent over the two largest."""

    def read(trials: Trials) -> str:
        means = pd.DataFrame({term: trials.over_horizons(experiment, method, term).mean() for term in TERMS})
        shares = means.iloc[-1] / means.iloc[-1].sum()
        order = shares.abs().sort_values(ascending=False).index
        return ", ".join(f"{term} {shares[term]:.0%}{_exponent(means[term])}" for term in order)

    return read


def worth(experiment: str, method: str) -> Callable[[Trials], float]:
    """V_UB at the largest horizon: the regret of doing nothing."""
    return lambda trials: float(trials.longest(experiment, method, "fluid_value").mean())


def _exponent(means: pd.Series) -> str:
    """The last local exponent, where there is one."""
    if len(means) < 2 or not (means.iloc[-2:] > 0).all():
        return ""
    (first, last), (small, large) = means.iloc[-2:], means.index[-2:]
    return f" ({np.log(last / first) / np.log(large / small):.2f})"
