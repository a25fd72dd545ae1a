"""What is said of many trials."""

from typing import NamedTuple

import pandas as pd
from scipy.stats import t as student

Z95 = 1.959963984540054  # the 97.5% quantile of the standard normal law


def bands(table: pd.DataFrame, value: str, by: list[str]) -> pd.DataFrame:
    """
    Mean over trials with an approximate 95% band, mean +- 1.96 standard errors.

    Parameters
    ----------
    table : DataFrame
        One row for each trial and each combination of `by`.
    value : str
        The column to average.
    by : list of str
        The columns that stay, for example ``["method", "t"]``.

    Returns
    -------
    DataFrame
        Columns `by`, ``mean``, ``low``, ``high``, ``trials``; with one trial the band is undefined (NaN).
    """
    groups = table.groupby(by, sort=True, observed=True)[value]
    summary = groups.agg(mean="mean", error="sem", trials="count").reset_index()
    summary["low"] = summary["mean"] - Z95 * summary["error"]
    summary["high"] = summary["mean"] + Z95 * summary["error"]
    return summary[[*by, "mean", "low", "high", "trials"]]


class Interval(NamedTuple):
    """An estimate with a 95% confidence interval."""

    estimate: float
    low: float
    high: float


def paired_difference(first: pd.Series, second: pd.Series) -> Interval:
    """
    Mean of first - second over the trials that both have, with Student's 95% interval.

    Parameters
    ----------
    first, second : Series
        One value for each trial, indexed by trial; trials that only one of them has are left out.
    """
    difference = (first - second).dropna()
    if len(difference) < 2:
        raise ValueError(f"a paired interval needs two common trials, found {len(difference)}")
    half = student.ppf(0.975, len(difference) - 1) * difference.sem()
    return Interval(difference.mean(), difference.mean() - half, difference.mean() + half)
