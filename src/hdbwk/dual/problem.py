"""The dual as it was posed and as the sifting loop sees it, and how far rounding may move its bounds.

With R the scale of the rewards, lam = Z eta and all values divided by R, the rows mu_a become mu_a / R, the
rows of W_a become Z W_a / R and rho becomes Z rho / R.

A resource i whose consumption is then far above one has a unit of its own: lam_i = Z q_i eta_i with a small power of
two q_i. The cap on the prices becomes q . eta <= 1. If min(rho) < 0, the minimiser has rho . lam <= R only up to
Z |min(rho)|; with V = R + Z max(0, -min(rho)) and q_i >= 2 V / (Z rho_i) the prices of these resources sum up to at
most one.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.arms import Arms, mean_sizes, rescaled
from hdbwk.dual.double_double import UNIT
from hdbwk.dual.scores import BLOCK
from hdbwk.dual.solution import Array

ROUNDINGS = 64  # of a product of data, beside those that depend on the size of the problem
FAR = 2.0**16  # a resource has a unit of its own if consumption and capacity are above this in the common one


class Posed(NamedTuple):
    """The dual as it was posed, and its units."""

    arms: Arms
    rho: Array  # (m,)
    Z: float
    weight: Array  # (d,) the sum of |x_j| over the samples
    cap: float  # Z, or less where the best prices are known to sum up to less
    reward_unit: float  # R


class Normalised(NamedTuple):
    """The dual in normalised units, and bounds for the sums of the absolute terms in it."""

    arms: Arms
    rho: Array  # (m,)
    shares: Array  # (m,) weights of the cap on the prices: shares . eta <= 1
    price_units: Array  # (m,) lam = eta * price_units
    rewards: float  # terms of a mean reward
    costs: float  # terms of a mean consumption, and the capacity
    debt: float  # the largest negative capacity
    longest: int  # terms in the sums over one sample, and over all arms


@kernel
def normalise(posed, n):
    """The problem on n samples in units where rewards and prices are of order one."""
    arms, rho, cap, R = posed.arms, posed.rho, posed.cap, posed.reward_unit
    sizes = mean_sizes(arms, posed.weight, n)
    shares = unit_shares(sizes[1:], rho, cap, R)
    factors = cap * shares / R
    return Normalised(
        rescaled(arms, 1.0 / R, factors),
        rho * factors,
        shares,
        cap * shares,
        sizes[0] / R,
        ((sizes[1:] + np.abs(rho)) * factors).max(),
        max(0.0, -cap / R * rho.min()),
        arms.column.size + 2 * sizes.size,
    )


@kernel
def unit_shares(sizes, rho, cap, R):
    """The powers of two q; ones where consumption (of mean size `sizes`) or capacity is moderate in common units."""
    shares = np.ones(rho.size)
    budget = R + cap * max(0.0, -rho.min())
    for i in range(rho.size):
        far = cap * min(sizes[i] / R, rho[i] / (2.0 * budget))
        if far > FAR:
            shares[i] = 0.5 ** np.floor(np.log2(far))
    return shares


@kernel
def rounding_error(problem, n, value):
    """A bound for the rounding of a value, and of a lower bound apart from the sums over fixed samples and over pairs.

    A product of data is rounded at most as often as the sums over one sample have terms, and a few times for the
    change of units. The best scores, none of them negative, are summed up in blocks; their mean is at most |value|
    plus the largest debt. So are the prices in units of their own; the others sum up to at most one.
    """
    scores = problem.rewards + abs(value) + problem.debt
    products = problem.rewards + (2.0 + scores) * problem.costs
    return UNIT * ((problem.longest + ROUNDINGS) * products + (BLOCK + n / BLOCK + ROUNDINGS) * scores)
