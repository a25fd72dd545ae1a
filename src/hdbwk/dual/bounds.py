"""The certificate: prices with their value, and a lower bound on the minimum, in normalised units."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.arms import net_rewards, scan
from hdbwk.dual.careful import careful_value, refined
from hdbwk.dual.double_double import UNIT
from hdbwk.dual.interior_point import weighted_sum
from hdbwk.dual.problem import rounding_error


class Goal(NamedTuple):
    """How far the bounds may be apart, the rounding allowed to each of them, and the limit of the interior point."""

    tol: float
    spare: float
    max_iterations: int


class Size(NamedTuple):
    """Of the next working sets."""

    epsilon: float  # the blur of Newton's method that closes the gap
    scale: float  # the blur to begin with, larger where the last prices were far off
    theta: float  # the margin of the samples in a model
    wanted: float  # the number of these samples


class Bounds(NamedTuple):
    """The best prices with their value, the best lower bound on the minimum, and bounds for the rounding of both."""

    eta: np.ndarray
    value: float
    value_error: float
    lower: float
    lower_error: float


@kernel
def with_value(best, eta, value, error):
    """The better of the values."""
    return Bounds(eta, value, error, best.lower, best.lower_error) if value < best.value else best


@kernel
def with_lower(best, lower, error):
    """The better of the lower bounds."""
    return Bounds(best.eta, best.value, best.value_error, lower, error) if lower > best.lower else best


@kernel
def evaluate(samples, n, posed, problem, eta, spare):
    """One pass: the value at eta with a bound for its rounding, in doubled precision if that may exceed `spare`."""
    value = scan(samples, n, net_rewards(problem.arms, eta)) + weighted_sum(problem.rho, eta)
    error = rounding_error(problem, n, value)
    if error <= spare:
        return value, error
    careful, error = careful_value(samples, n, posed, eta * problem.price_units)
    R = posed.reward_unit
    return refined(value, careful / R, (error + 4.0 * UNIT * abs(careful)) / R, spare)
