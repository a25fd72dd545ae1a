"""Assumption 5: the dual grows around lambda*, and lambda* is not degenerate."""

from dataclasses import dataclass, replace

import numpy as np

from hdbwk.diagnostics.finding import Z95, Finding, above
from hdbwk.diagnostics.sample import Bools, Floats, Sample
from hdbwk.dual.explicit import solve_dual

SURE = 3.0  # standard errors from zero: there are m chances to err, and near zero the bootstrap understates errors
RANDOM = 20  # random directions around lambda*
DUST = 1e-5  # a resource that costs less than this share of V has the price 0: the solver's rounding
FLATTEST = 3  # directions in which the gradient changes least


@dataclass(frozen=True)
class Prices:
    """lambda* of the empirical dual and its slack rho - E W_a* x, with standard errors from the bootstrap."""

    lam: Floats
    slack: Floats
    lam_error: Floats
    slack_error: Floats
    value: float  # V_UB / T
    rho: Floats

    @property
    def scale(self) -> float:
        """V over the mean capacity: the size of |lambda*|_1 at which capacity would cost all that it earns."""
        return self.value / float(self.rho.mean())

    @property
    def share(self) -> Floats:
        """The price of each resource at which it would cost an equal share of V."""
        return self.value / (len(self.rho) * self.rho)


def optimal_prices(sample: Sample, resamples: int, rng: np.random.Generator) -> Prices:
    """Minimise the empirical dual of the sample and of `resamples` bootstrap samples."""
    lam, slack, value = _solve(sample)
    if not value > 0:
        raise ValueError("no arm has a positive reward at any context, so that the dual is zero: check mu")
    outcomes = replace(sample, X=sample.X[:, :0])  # the dual needs rewards and consumptions alone
    again = [_solve(outcomes.rows(rng.integers(len(sample), size=len(sample))))[:2] for _ in range(resamples)]
    errors = np.std(again, axis=0, ddof=1)
    return Prices(lam, slack, errors[0], errors[1], value, sample.rho)


def _solve(sample: Sample) -> tuple[Floats, Floats, float]:
    """lambda*, the slack of the resources at it, and the value."""
    solution = solve_dual(sample.rewards, sample.costs, sample.rho, np.inf)
    lam = np.where(solution.lam * sample.rho > DUST * solution.value, solution.lam, 0.0)
    return lam, sample.rho - sample.consumption(lam).mean(axis=0), solution.value


def prices_nearby(sample: Sample, prices: Prices, radius: float, rng: np.random.Generator) -> Floats:
    """Prices lam >= 0 with |lam - lambda*|_1 <= radius: along the axes, random, and where the dual grows least."""
    axes = np.eye(len(prices.lam))
    base = sample.consumption(prices.lam).mean(axis=0)
    ahead = np.array([sample.consumption(prices.lam + radius * axis).mean(axis=0) for axis in axes])
    curvature = base - ahead  # row i: how the gradient changes along axis i
    flattest = np.linalg.eigh(curvature + curvature.T)[1][:, :FLATTEST].T
    random = rng.standard_normal((RANDOM, len(axes)))
    steps = np.vstack([axes, -axes, flattest, -flattest, random])
    steps *= radius / np.abs(steps).sum(axis=1, keepdims=True)
    nearby = np.maximum(prices.lam + steps, 0.0)
    return nearby[np.abs(nearby - prices.lam).sum(axis=1) > radius / 10]  # a price of zero cannot fall


def second_order_growth(sample: Sample, prices: Prices, nearby: Floats, growth_min: float) -> Finding:
    """Assumption 5.1: the smallest <grad D(lam) - grad D(lambda*), lam - lambda*> / |lam - lambda*|_1^2 found."""
    base = sample.consumption(prices.lam)
    growth = []
    for lam in nearby:
        step = lam - prices.lam
        each = (base - sample.consumption(lam)) @ step / np.abs(step).sum() ** 2  # not negative, D being convex
        growth.append((float(each.mean()), float(each.std() / np.sqrt(len(sample)))))
    estimate, error = min(growth)
    low, high = max(estimate - Z95 * error, 0.0), estimate + Z95 * error
    unit = prices.value / prices.scale**2  # of the dual over squared prices
    note = f"smallest over {len(nearby)} price vectors around lambda*; {growth_min * unit:.2g} is asked for"
    return Finding("5.1", "L", estimate, low, high, "search", above(growth_min * unit, low, high), note)


def non_degeneracy(prices: Prices, degenerate: float) -> list[Finding]:
    """Assumption 5.2: each resource either has a positive price or is left over; the smallest of both."""
    binding = prices.lam > SURE * prices.lam_error
    loose = ~binding & (prices.slack > SURE * prices.slack_error)
    undecided = ~binding & ~loose
    no_price = prices.lam + Z95 * prices.lam_error < degenerate * prices.share
    no_slack = prices.slack + Z95 * prices.slack_error < degenerate * prices.rho
    holds: bool | None = None if undecided.any() else True
    doubt = ""
    if undecided.any():
        names = (f"{i} (price {prices.lam[i]:.2g}, slack {prices.slack[i]:.2g})" for i in np.flatnonzero(undecided))
        doubt = f"; neither price nor slack is surely positive of resource {', '.join(names)}"
    if (undecided & no_price & no_slack).any():
        holds = False
    return [
        _gap("delta_B", prices.lam, prices.lam_error, binding, holds, "bind" + doubt),
        _gap("delta_NB", prices.slack, prices.slack_error, loose, holds, "do not bind" + doubt),
    ]


def _gap(name: str, values: Floats, errors: Floats, which: Bools, holds: bool | None, note: str) -> Finding:
    """The smallest value of the resources in question."""
    note = f"{which.sum()} of {len(values)} resources {note}"
    if not which.any():
        return Finding("5.2", name, np.nan, np.nan, np.nan, "sample", holds, note)
    i = int(np.where(which, values, np.inf).argmin())
    low, high = values[i] - Z95 * errors[i], values[i] + Z95 * errors[i]
    return Finding("5.2", name, float(values[i]), float(low), float(high), "sample", holds, note)
