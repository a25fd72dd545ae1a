"""The certificate: prices with their value, and a lower bound on the minimum, in normalised units."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.arms import net_rewards
from hdbwk.dual.careful import careful_value, refined
from hdbwk.dual.double_double import UNIT
from hdbwk.dual.prices import weighted_sum
from hdbwk.dual.problem import rounding_error
from hdbwk.dual.scores import scan

SMALLEST_NORMAL = 2.0**-1022  # a smaller number is rounded to a multiple of a far smaller one


class Goal(NamedTuple):
    """How far the bounds may be apart, the rounding allowed to each of them, and the limit of the interior point."""

    tol: float
    spare: float
    max_iterations: int


class Memory(NamedTuple):
    """What a solve leaves to the next one, beside its prices."""

    smooth_lam: np.ndarray  # the prices that minimise the smoothed dual
    epsilon: float  # the blur of Newton's method that closes the gap
    scale: float  # the blur to begin with, larger where the last prices were far off
    theta: float  # the margin of the samples in a model
    wanted: float  # the number of these samples


class Bounds(NamedTuple):
    """The best prices with their value, the best lower bound on the minimum, and bounds for the rounding of both."""

    lam: np.ndarray
    value: float
    value_error: float
    lower: float
    lower_error: float


@kernel
def with_value(best, lam, value, error):
    """The better of the values."""
    return Bounds(lam, value, error, best.lower, best.lower_error) if value < best.value else best


@kernel
def with_lower(best, lower, error):
    """The better of the lower bounds."""
    return Bounds(best.lam, best.value, best.value_error, lower, error) if lower > best.lower else best


@kernel
def evaluate(samples, n, posed, problem, lam, spare):
    """One pass: the value at lam with a bound for its rounding, in doubled precision if that may exceed `spare`."""
    R = posed.reward_unit
    value = scan(samples, n, net_rewards(posed.arms, lam), 1.0 / R) + weighted_sum(posed.rho, lam) / R
    error = rounding_error(problem, n, value) + problem.longest * SMALLEST_NORMAL / R
    if error <= spare:
        return value, error
    careful, error = careful_value(samples, n, posed, lam)
    return refined(value, careful / R, (error + 4.0 * UNIT * abs(careful)) / R, spare)
