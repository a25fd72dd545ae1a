"""The dual prices of Algorithm 2: Hedge on the scaled simplex."""

import math

import numpy as np

from hdbwk.core.validation import Floats

LARGEST = 600.0  # exponent: the exponential of more would overflow


class Hedge:
    """
    Multiplicative weights eta on the m resources, |eta|_1 <= 1.

    Parameters
    ----------
    rho : ndarray of shape (m,)
        C / T, what a round may consume on average.
    delta : float
        The learning rate.
    """

    def __init__(self, rho: Floats, delta: float) -> None:
        self.rho, self.delta = rho, delta
        self.eta = np.full(rho.size, 1 / rho.size)  # line 2 of Algorithm 2

    def update(self, consumption: Floats) -> None:
        """Line 13 of Algorithm 2: raise the price of what was used above its share, then project as printed."""
        alpha = self.eta * np.exp(np.minimum(self.delta * (consumption - self.rho), LARGEST))
        self.eta = alpha / max(alpha.sum(), 1.0)


def learning_rate(scale: float, horizon: int, n_resources: int, cost_bound: float) -> float:
    """delta = c sqrt(log m / (T B)) of Theorem "Primaldual"; one resource counts as two, so that it has a price."""
    return scale * math.sqrt(math.log(max(n_resources, 2)) / (horizon * cost_bound))
