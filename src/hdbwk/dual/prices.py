"""Normalised prices eta >= 0 under their cap, shares . eta <= 1."""

from hdbwk.core.compiled import kernel
from hdbwk.dual.double_double import UNIT


@kernel
def weighted_sum(weights, x):
    """Their inner product, summed up in order."""
    total = 0.0
    for i in range(x.size):
        total += weights[i] * x[i]
    return total


@kernel
def keep_below_cap(eta, shares):
    """Remove the rounding by which prices may exceed the cap."""
    total = weighted_sum(shares, eta)
    most = 1.0 - (eta.size + 4) * UNIT
    if total > most:
        eta *= most * most / total


@kernel
def charge(reduced_cost, shares):
    """The least of reduced_cost . eta, over the prices among which the minimiser is known to be."""
    cap, own = 0.0, 0.0
    for i in range(shares.size):
        if shares[i] == 1.0:
            cap = min(cap, reduced_cost[i])
    for i in range(shares.size):
        if shares[i] < 1.0:
            own = min(own, reduced_cost[i] - cap * shares[i])
    return cap + own
