"""Does a quantity grow faster than its bound? Local exponents, a test against late asymptotics, and the test's power.

Everything is a contrast of u = log(mean / bound) over x = log(size), that is, an exponent in excess of the bound's.
Errors come from the trials by the delta method, so that trials which share their randomness over sizes count as pairs.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t as student

from hdbwk.metrics.summary import Interval

Array = NDArray[np.float64]

FEWEST_SIZES = 5  # with fewer, a fall of the exponents cannot be told from noise
LAST = 3  # sizes that the last exponent is fitted to
AHEAD, FAR_AHEAD = 0.5, 2.0  # how far the trend of the exponents is continued, in lengths of the measured range
ROUNDING = 1e-9  # exponents and errors below are zero
FALL_LEVEL = 0.2  # level of the test for a fall: a cautious one, because a fall acquits


@dataclass(frozen=True)
class Growth:
    """
    The growth of a mean against its bound.

    Attributes
    ----------
    local : list of Interval
        Exponents between neighbouring sizes, with Student's 95% intervals.
    last : Interval
        The exponent over the three largest sizes.
    excess : float
        The last exponent less that of the bound over the same sizes.
    p_value : float
        Against "the exponents are at most the bound's, or fall to it".
    found : float
        The smallest excess exponent that this row would have found with the asked probability; infinite if none.
    resolution : float
        The part of it that is noise: what would have been found on top of the bound itself.
    """

    local: list[Interval]
    last: Interval
    excess: float
    p_value: float
    found: float
    resolution: float


class Statistics(NamedTuple):
    """The four exponents that decide, each with its standard error (the last axis)."""

    estimate: Array  # last, continued, continued far, rate of change
    error: Array


def growth(
    values: pd.DataFrame,
    bound: Array,
    rng: np.random.Generator,
    level: float = 0.05,
    probability: float = 0.9,
    resamples: int = 1000,
) -> Growth:
    """
    Set the growth of a mean against a bound.

    The bound is exceeded if two one-sided tests reject at `level`: the exponent over the three largest sizes is above
    the bound's, and so is the exponent to which their quadratic trend in log(size) leads half a measured range beyond
    the largest size. It is not if the exponents fall (a one-sided test at level 0.2) such that their trend meets the
    bound's within two ranges: then the asymptotics are yet to come.

    Power is measured on the row's own noise. A factor size^e on resampled trials raises every exponent by e and leaves
    all errors as they are, so that each resample has one smallest e at which it would be called an excess; `found` is
    the quantile of these. The larger of two is taken: e on top of the measured curve, and on top of the bound.

    Parameters
    ----------
    values : DataFrame
        One row for each trial, one column for each size, named by the size.
    bound : array
        The bound at each size, up to a constant.
    rng : Generator
        For the resampling.
    level, probability : float
        Level of the tests, probability with which `found` would be found.
    resamples : int
        How many resamples measure the power.
    """
    sizes, z = values.columns.to_numpy(dtype=float), values.to_numpy(dtype=float)
    n, k = z.shape
    if k < 2 or n < 2 or not (z.mean(axis=0) > 0).all():
        return Growth([], Interval(np.nan, np.nan, np.nan), np.nan, 1.0, np.inf, np.inf)
    x = np.log(sizes)
    shown = np.vstack([np.diff(np.eye(k), axis=0) / np.diff(x)[:, None], _last(x)])
    local = _intervals(_contrasts(z, np.ones(k), shown), n)
    excess = local[-1].estimate - float(_last(x) @ np.log(bound))
    if k < FEWEST_SIZES:
        return Growth(local[:-1], local[-1], excess, 1.0, np.inf, np.inf)
    deciding = _deciding(x)
    own = _contrasts(z, bound, deciding)
    resampled = _contrasts(z[rng.integers(n, size=(resamples, n))], bound, deciding)
    at_bound = Statistics(resampled.estimate - own.estimate, resampled.error)
    on_top, resolution = (float(np.quantile(_needed(s, n, level), probability)) for s in (resampled, at_bound))
    return Growth(local[:-1], local[-1], excess, _p_value(own, n), max(on_top, resolution), resolution)


def _last(x: Array) -> Array:
    """The weights of the least-squares slope over the last sizes."""
    weights = np.zeros(x.size)
    centred = x[-LAST:] - x[-LAST:].mean()
    weights[-LAST:] = centred / (centred @ centred)
    return weights


def _deciding(x: Array) -> Array:
    """The weights of the last exponent, of the exponents ahead on the quadratic trend, and of their change."""
    centred = x - x.mean()
    _, linear, quadratic = np.linalg.pinv(np.vander(centred, 3, increasing=True))
    ahead = [linear + 2 * (centred[-1] + h * np.ptp(x)) * quadratic for h in (AHEAD, FAR_AHEAD)]
    return np.vstack([_last(x), *ahead, 2 * quadratic])


def _contrasts(z: Array, bound: Array, weights: Array) -> Statistics:
    """Contrasts of log(mean / bound) with their errors, for trials on the last axis but one."""
    means = z.mean(axis=-2, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):  # a mean may not be positive: NaN, which finds nothing
        error = ((z / means) @ weights.T).std(axis=-2, ddof=1) / np.sqrt(z.shape[-2])
        return Statistics(np.log(means[..., 0, :] / bound) @ weights.T, error)


def _intervals(statistics: Statistics, n: int) -> list[Interval]:
    half = student.ppf(0.975, n - 1) * statistics.error
    return [Interval(float(e), float(e - h), float(e + h)) for e, h in zip(statistics.estimate, half, strict=True)]


def _falls(statistics: Statistics, n: int) -> NDArray[np.bool_]:
    change, error = statistics.estimate[..., 3], statistics.error[..., 3]
    return change < student.ppf(FALL_LEVEL, n - 1) * error


def _p_value(statistics: Statistics, n: int) -> float:
    """The larger of the two p-values; 1 if the exponents fall to the bound's."""
    last, ahead, far, _ = statistics.estimate
    if _falls(statistics, n) and far <= 0:
        return 1.0
    return max(_tail(e, s, n) for e, s in zip((last, ahead), statistics.error, strict=False))


def _tail(estimate: float, error: float, n: int) -> float:
    """P(T > estimate / error); without any spread the sign decides, but for the rounding of logarithms."""
    if error <= max(1e-12 * abs(estimate), ROUNDING):
        return 0.0 if estimate > ROUNDING else 1.0
    return float(student.sf(estimate / error, n - 1))


def _needed(statistics: Statistics, n: int, level: float) -> Array:
    """The smallest exponent on top of each resample that would have been called an excess."""
    quantile = student.isf(level, n - 1)
    needed = (quantile * statistics.error[..., :2] - statistics.estimate[..., :2]).max(axis=-1)
    far = np.where(_falls(statistics, n), -statistics.estimate[..., 2], -np.inf)
    return np.nan_to_num(np.maximum(needed, far), nan=np.inf, posinf=np.inf, neginf=-np.inf)
