"""What is said of many trials."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

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
    half = stdtrit(len(difference) - 1, 0.975) * difference.sem()
    return Interval(difference.mean(), difference.mean() - half, difference.mean() + half)


def growth_exponent(
    values: pd.DataFrame, rng: np.random.Generator, resamples: int = 1000, level: float = 0.95
) -> Interval:
    """
    The exponent of mean ~ size^exponent, by least squares on logarithms, with a bootstrap interval over trials.

    Parameters
    ----------
    values : DataFrame
        One row for each trial, one column for each size (a horizon, a dimension, ...), named by the size.
    rng : Generator
        For the bootstrap.
    resamples, level : int, float
        Number of bootstrap samples, coverage of the percentile interval.
    """
    sizes = values.columns.to_numpy(dtype=float)
    if len(sizes) < 2:
        raise ValueError(f"an exponent needs two sizes, found {len(sizes)}")
    means = values.to_numpy().mean(axis=0)
    if not (means > 0).all():
        raise ValueError("an exponent needs positive means")
    draws = rng.integers(len(values), size=(resamples, len(values)))
    resampled = values.to_numpy()[draws].mean(axis=1)
    slopes = _slopes(np.log(sizes), np.log(np.maximum(resampled, np.finfo(float).tiny)))
    tail = (1 - level) / 2
    low, high = np.quantile(slopes, [tail, 1 - tail])
    return Interval(float(_slopes(np.log(sizes), np.log(means[None]))[0]), float(low), float(high))


def _slopes(x: NDArray[np.float64], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The least-squares slope of each row against x."""
    centred = x - x.mean()
    return rows @ centred / (centred @ centred)
