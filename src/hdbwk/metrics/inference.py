"""Is one quantity at least so many times another? Paired tests, their intervals, and many of them at once."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from hdbwk.metrics.summary import Interval


def paired(first: pd.Series, second: pd.Series) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values of the trials that both have."""
    both = pd.concat([first, second], axis=1, join="inner").dropna().to_numpy(dtype=float)
    if len(both) < 2:
        raise ValueError(f"a paired comparison needs two common trials, found {len(both)}")
    return both[:, 0], both[:, 1]


def p_positive(values: NDArray[np.float64]) -> float:
    """
    The p-value against "the mean is at most 0": Student's one-sided test.

    If all values are equal their spread says nothing, and the sign test takes its place: 2^-n, or 1.
    """
    if values.std(ddof=1) / np.sqrt(len(values)) <= 1e-12 * np.abs(values).max():
        return 0.5 ** len(values) if values[0] > 0 else 1.0
    return float(ttest_1samp(values, 0, alternative="greater").pvalue)


def ratio_of_means(first: pd.Series, second: pd.Series, level: float = 0.95) -> Interval:
    """
    Mean of first / mean of second with Fieller's interval: the ratios r that a paired test of first - r second keeps.

    Where the second mean cannot be told from zero the interval is the whole line.
    """
    a, b = paired(first, second)
    n = len(a)
    quantile = student.ppf((1 + level) / 2, n - 1)
    spread = np.atleast_2d(np.cov(a, b)) * quantile**2 / n
    x = b.mean() ** 2 - spread[1, 1]
    if x <= 0:
        return Interval(float(a.mean() / b.mean()) if b.mean() else np.nan, -np.inf, np.inf)
    y = a.mean() * b.mean() - spread[0, 1]
    root = np.sqrt(max(y**2 - x * (a.mean() ** 2 - spread[0, 0]), 0.0))
    return Interval(float(a.mean() / b.mean()), float((y - root) / x), float((y + root) / x))


def holm(p_values: list[float]) -> list[float]:
    """Holm's adjusted p-values: those below a level are significant with that level for the whole family."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min((len(p_values) - rank) * p_values[i], 1.0))
        adjusted[i] = largest
    return adjusted.tolist()
