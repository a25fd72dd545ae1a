"""The dual as it was posed and as the sifting loop sees it, and how far rounding may move its bounds."""

from typing import NamedTuple

from hdbwk.dual.double_double import UNIT
from hdbwk.dual.solution import Array
from hdbwk.dual.sparse_arms import BLOCK, SparseArms

ROUNDINGS = 64  # of a product of data, beside those that depend on the size of the problem


class Posed(NamedTuple):
    """The dual as it was posed."""

    arms: SparseArms
    rho: Array  # (m,)
    Z: float
    weight: Array  # (d,) the sum of |x_j| over the samples


class Normalised(NamedTuple):
    """The dual in normalised units, and bounds for the sums of the absolute terms in it."""

    arms: SparseArms
    rho: Array  # (m,)
    shares: Array  # (m,) weights of the cap on the prices: shares . eta <= 1
    price_units: Array  # (m,) lam = eta * price_units
    reward_unit: float
    rewards: float  # terms of a mean reward
    costs: float  # terms of a mean consumption, and the capacity
    debt: float  # the largest negative capacity
    longest: int  # terms in the sums over one sample


def rounding_error(problem: Normalised, n: int, value: float) -> float:
    """A bound for the rounding of a value, and of a lower bound apart from the sums over fixed samples and over pairs.

    A product of data is rounded at most as often as the sums over one sample have terms, and a few times for the
    change of units. The best scores, none of them negative, are summed up in blocks; their mean is at most |value|
    plus the largest debt. So are the prices in units of their own; the others sum up to at most one.
    """
    scores = problem.rewards + abs(value) + problem.debt
    products = problem.rewards + (2.0 + scores) * problem.costs
    return UNIT * ((problem.longest + ROUNDINGS) * products + (BLOCK + n / BLOCK + ROUNDINGS) * scores)
