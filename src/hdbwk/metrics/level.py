"""Is a mean above a bound that has no unknown constant? The test, and its power."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from hdbwk.metrics.inference import p_positive
from hdbwk.metrics.summary import Interval, paired_difference


@dataclass(frozen=True)
class Level:
    """
    A mean against a bound.

    Attributes
    ----------
    mean : Interval
        With Student's 95% interval.
    p_value : float
        Against "the mean is at most the bound".
    found : float
        The smallest excess, as a share of the bound, that these trials would have found with the asked probability.
    resolution : float
        The part of it that is noise.
    """

    mean: Interval
    p_value: float
    found: float
    resolution: float


def level_of(values: pd.Series, bound: float, level: float = 0.05, probability: float = 0.9) -> Level:
    """
    Set the mean of `values` over trials against a positive `bound`, by Student's one-sided test.

    The excess is counted from the measured mean or from the bound, whichever is lower.
    """
    z, n = values.to_numpy(dtype=float), len(values)
    error = z.std(ddof=1) / np.sqrt(n)
    shift = (student.isf(level, n - 1) + student.ppf(probability, n - 1)) * error
    found = (max(bound - z.mean(), 0.0) + shift) / bound
    return Level(paired_difference(values, 0 * values), p_positive(z - bound), float(found), float(shift / bound))
