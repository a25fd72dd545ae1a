"""Assumptions 2 and 4(i): diverse covariates under the greedy allocation.

For an arm a and a unit vector v, gamma(a, v) is the largest gamma with P((v'x)^2 1{y = a} >= gamma) >= zeta, a
quantile. Bad directions are sought on one half of the contexts, and the few worst are measured on the other half, so
that those which look bad by chance do not count.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.diagnostics.directions import candidates, most_one_sided, sparse_direction
from hdbwk.diagnostics.finding import Z95, Finding, above
from hdbwk.diagnostics.sample import Floats, Ints, Sample

PILOT = 4000  # contexts in which directions are sought, at most
SHORTLIST = 4  # directions for each arm that are measured


class Quantile(NamedTuple):
    """gamma at zeta with a 95% interval."""

    estimate: float
    low: float
    high: float


def split(n: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Places of the contexts in which to seek, and of those in which to measure."""
    order = rng.permutation(n)
    cut = min(n // 2, PILOT)
    return order[:cut], order[cut:]


def gamma_at(values: Floats, zeta: float) -> Floats:
    """The largest gamma with a share of at least zeta of the values at or above it, along the first axis."""
    count = min(max(int(np.ceil(zeta * len(values))), 1), len(values))
    return np.partition(values, len(values) - count, axis=0)[len(values) - count]


def gamma_interval(values: Floats, zeta: float) -> Quantile:
    """gamma with the interval that the sampling error of the share gives it."""
    error = Z95 * np.sqrt(zeta * (1 - zeta) / len(values))
    return Quantile(*(float(gamma_at(values, share)) for share in (zeta, zeta + error, zeta - error)))


def energy(sample: Sample, lam: Floats, arm: int, directions: Floats) -> Floats:
    """(v'x)^2 1{y = a} for each context and each direction v, the arm y being chosen at the prices lam."""
    return (sample.X @ directions.T) ** 2 * (sample.allocation(lam) == arm)[:, None]


def worst_directions(sample: Sample, lam: Floats, zeta: float, size: int, rng: np.random.Generator) -> list[Floats]:
    """For each arm, the few candidates with the smallest gamma, shape (shortlist, d)."""
    net = np.vstack([sample.mu - np.einsum("kmd,m->kd", sample.W, lam), np.zeros(sample.X.shape[1])])
    borders = [net[i] - net[j] for i in range(len(net)) for j in range(i)]
    whole = sparse_direction(sample.X, size)
    chosen = sample.allocation(lam)
    found = []
    for arm in range(sample.n_arms):
        directions = np.vstack([whole, candidates(sample.X[chosen == arm], size, borders, rng)])
        gammas = gamma_at(energy(sample, lam, arm, directions), zeta)
        best = [0, *(place for place in gammas.argsort(kind="stable")[:SHORTLIST] if place)]
        found.append(directions[best[:SHORTLIST]])
    return found


def diverse_covariates(
    sample: Sample, lam: Floats, directions: list[Floats], zeta: float, gamma_min: float
) -> tuple[Finding, Floats]:
    """
    Assumption 2 for the allocation at the prices lam, and the worst direction of each arm, shape (K, d).

    Parameters
    ----------
    sample : Sample
        Contexts that were not used to find the directions.
    lam : array of shape (m,)
    directions : list of arrays
        The directions to measure, for each arm.
    zeta : float
        The probability at which gamma is measured.
    gamma_min : float
        The smallest gamma that counts as positive, as a share of the mean square of the contexts' entries.
    """
    values = [energy(sample, lam, arm, some) for arm, some in enumerate(directions)]
    places = [int(gamma_at(some, zeta).argmin()) for some in values]
    gammas = [gamma_interval(some[:, place], zeta) for some, place in zip(values, places, strict=True)]
    arm = min(range(sample.n_arms), key=lambda a: gammas[a].estimate)
    shares = np.bincount(sample.allocation(lam), minlength=sample.n_arms)[: sample.n_arms] / len(sample)
    note = f"at zeta = {zeta:.3g}, worst direction found; arms are chosen on {_range(shares)} of the contexts"
    holds = above(threshold(sample.X, gamma_min), gammas[arm].low, gammas[arm].high)
    worst = np.array([some[place] for some, place in zip(directions, places, strict=True)])
    return Finding("2", "gamma", *gammas[arm], "search", holds, note), worst


def local_diversity(sample: Sample, nearby: Floats, worst: Floats, zeta: float, gamma_min: float) -> Finding:
    """Assumption 4(i): the smallest gamma in the directions found, for the allocations at all prices nearby."""
    squares = (sample.X @ worst.T) ** 2
    arms = np.arange(sample.n_arms)
    gammas = np.array([gamma_at(squares * (sample.allocation(lam)[:, None] == arms), zeta) for lam in nearby])
    place, arm = np.unravel_index(gammas.argmin(), gammas.shape)
    gamma = gamma_interval(squares[:, arm] * (sample.allocation(nearby[place]) == arm), zeta)
    holds = above(threshold(sample.X, gamma_min), gamma.low, gamma.high)
    note = f"at zeta = {zeta:.3g}, in the same directions, over {len(nearby)} price vectors around lambda*"
    return Finding("4(i)", "gamma (local)", *gamma, "search", holds, note)


def half_space_diversity(
    seek: Floats, measure: Floats, size: int, gamma_min: float, rng: np.random.Generator
) -> Finding:
    """Without a model, equation (div-cov-K2): the smallest eigenvalue of E[x x' 1{x'v >= 0}] found over all v."""
    d = seek.shape[1]
    U = candidates(seek, size, [], rng)
    V = half_spaces(seek, U)
    inside = np.hstack([seek, -seek, seek @ V.T]) >= 0
    held = ((seek @ U.T) ** 2).T @ inside.astype(float)  # how much of each u'x each half-space holds
    row, place = np.unravel_index(held.argmin(), held.shape)
    v = np.vstack([np.eye(d), -np.eye(d), V])[place]
    u = np.vstack([U[0], U[row], sparse_direction(seek[inside[:, place]], size)])
    within = measure @ v >= 0
    values = (measure @ u.T) ** 2 * within[:, None]
    values = values[:, values.mean(axis=0).argmin()]
    estimate, error = float(values.mean()), Z95 * float(values.std() / np.sqrt(len(values)))
    low, high = max(estimate - error, 0.0), estimate + error
    holds = above(threshold(measure, gamma_min), low, high)
    note = f"no model: half-spaces x'v >= 0; the worst that was found holds {within.mean():.1%} of the contexts"
    return Finding("2", "lambda_0", estimate, low, high, "search", holds, note)


def half_spaces(X: Floats, U: Floats) -> Floats:
    """Normals v of half-spaces beside those of the axes: both signs of U, of the mean, and of the most one-sided v."""
    V = np.vstack([U, X.mean(axis=0), most_one_sided(X)])
    return np.vstack([V, -V])


def threshold(X: Floats, gamma_min: float) -> float:
    """What counts as positive, in the units of the contexts."""
    return gamma_min * float((X**2).mean())


def _range(shares: Floats) -> str:
    return f"{shares.min():.1%} to {shares.max():.1%}" if len(shares) > 1 else f"{shares[0]:.0%}"
