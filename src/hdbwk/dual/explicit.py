"""The dual for explicit rewards and consumptions, and the offline optimum that it gives.

Explicit data are contexts too: x_j lists all rewards and consumptions of sample j, mu_a picks the reward of
arm a and row i of W_a its consumption of resource i. So one solver serves both.
"""

from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np

from hdbwk.core.validation import positive_int
from hdbwk.dual.arms import Arms
from hdbwk.dual.normalised import solve_normalised
from hdbwk.dual.sifter import Sifter
from hdbwk.dual.solution import Array, DualSolution, certify
from hdbwk.dual.validation import (
    finite_array,
    positive_capacity,
    price_cap,
    relative_tolerance,
)


def solve_dual(
    rewards: Array,
    costs: Array,
    rho: Array,
    Z: float,
    tol: float | str | None = 1e-9,
    *,
    max_iterations: int = 80,
    save_to: str | Path | None = None,
) -> DualSolution:
    """Minimise (1/n) sum_j max(0, max_a r_ja - b_ja . lam) + rho . lam over lam >= 0, sum(lam) <= Z.

    Parameters
    ----------
    rewards : array of shape (n, K)
    costs : array of shape (n, K, m)
    rho : array of shape (m,)
        Capacity per sample; it may be zero or negative.
    Z : float
        Cap on the sum of the prices; it may be infinite if every rho is positive.
    tol : float, "exact" or None
        Largest gap allowed, relative to the mean of max_a |r_ja|; see `ResolvingDual.solve`.
    max_iterations : int
        Limit of one run of the interior point.
    save_to : path, optional
        Folder for the instance if no certificate is found. By default a folder in the system's temporary one, which
        keeps the newest ten.

    Raises
    ------
    UncertifiedDualError
        If the gap stays above the tolerance.
    """
    rewards = finite_array("rewards", rewards, (None, None))
    n, K = rewards.shape
    costs = finite_array("costs", costs, (n, K, None))
    m = costs.shape[2]
    rho = finite_array("rho", rho, (m,))
    Z = price_cap(Z, rho)

    sifter = Sifter(K * (m + 1), K, m, capacity=n)
    entries = np.concatenate([rewards[:, :, np.newaxis], costs], axis=2).reshape(n, -1)
    order = np.random.default_rng(0).permutation(n)  # nested levels need prefixes that look like the whole
    sifter.extend(entries[order])
    tol, max_iterations = relative_tolerance(tol, n), positive_int("max_iterations", max_iterations)
    solution = solve_normalised(sifter, picking_arms(K, m), rho, Z, np.zeros(m), tol, max_iterations)
    return certify(solution, Z, save_to, rewards=rewards, costs=costs, rho=rho)


def picking_arms(n_arms: int, n_resources: int) -> Arms:
    """Arms that pick their rewards and consumptions out of x_j."""
    size = n_resources + 1
    picks = np.arange(n_arms * size)
    return Arms(start=np.arange(n_arms + 1) * size, column=picks, values=np.tile(np.eye(size), (n_arms, 1)))


class HindsightStream(Protocol):
    """What `offline_value` asks of a stream, such as a `CBwKStream`: conditional means and the total capacity."""

    @property
    def means(self) -> Array:
        """Expected rewards, shape (T, K)."""
        ...

    @property
    def consumption_means(self) -> Array:
        """Expected consumptions, shape (T, K, m)."""
        ...

    @property
    def capacity(self) -> Array:
        """Total capacity C, shape (m,)."""
        ...


def offline_value(stream: HindsightStream, tol: float | str | None = 1e-9) -> DualSolution:
    """V_off: the best total expected reward of a stream in hindsight, with fractional assignments.

    Parameters
    ----------
    stream : HindsightStream
        The rounds; their capacity must be positive.
    tol : float, "exact" or None
        See `solve_dual`.

    Returns
    -------
    DualSolution
        `value`, `lower_bound` and `tolerance` are totals over the T rounds; V_off lies between the bounds.
    """
    capacity = finite_array("capacity", stream.capacity, (None,))
    positive_capacity("capacity", capacity)
    rounds = len(finite_array("means", stream.means, (None, None)))
    mean = solve_dual(stream.means, stream.consumption_means, capacity / rounds, np.inf, tol)
    return replace(
        mean,
        value=rounds * mean.value,
        lower_bound=rounds * mean.lower_bound,
        rounding=rounds * mean.rounding,
        tolerance=rounds * mean.tolerance,
    )
