"""One comparison between two series of trials, with evidence for and against it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hdbwk.metrics.inference import p_positive, paired, ratio_of_means
from hdbwk.metrics.summary import Interval


@dataclass(frozen=True)
class Check:
    """
    Something that a claim says.

    Attributes
    ----------
    label : str
        What is compared.
    measured : Interval
        The ratio of the two means with its 95% interval, or a plain number.
    p_holds, p_fails : float
        p-values of the evidence for the statement, and for its contrary.
    """

    label: str
    measured: Interval
    p_holds: float
    p_fails: float


def at_least(label: str, first: pd.Series, second: pd.Series, ratio: float) -> Check:
    """The mean of `first` is at least `ratio` times that of `second`, over common trials."""
    a, b = paired(first, second)
    excess = a - ratio * b
    return Check(label, ratio_of_means(first, second), p_positive(excess), p_positive(-excess))


def at_most(label: str, first: pd.Series, second: pd.Series, ratio: float) -> Check:
    """The mean of `first` is at most `ratio` times that of `second`, over common trials."""
    check = at_least(label, first, second, ratio)
    return Check(label, check.measured, check.p_fails, check.p_holds)


def fact(label: str, value: float, holds: bool) -> Check:
    """A number without chance: it holds or it does not."""
    return Check(label, Interval(value, np.nan, np.nan), float(not holds), float(holds))
