"""How the dual changes around its optimum, and which resources bind around rho_0."""

import numpy as np
import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.diagnostics.dual_regularity import Prices, optimal_prices, prices_nearby, second_order_growth
from hdbwk.diagnostics.margin import margin_constant
from hdbwk.diagnostics.sample import Floats, Sample
from hdbwk.dual.explicit import solve_dual
from hdbwk.experiments.theory.local.spec import Local

RESAMPLES = 2  # the standard errors of the prices are not used
DUST = 1e-7  # a price below this share of the largest is zero


def run(spec: Local, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Record, for each radius r, the change of the gradient of D at distance r from lam*, and of lam* at distance r.

    ``t`` is 1/r. `binding_sets` counts the binding sets that are met at distance r from rho_0, `binding_sets_inside`
    those at the distance delta'_rho of Lemma region-B+ with the constants of the instance.
    """
    atoms = spec.methods[method].atoms
    generator = spec.generator(seed, trial, "stream")
    instance = spec.instance(trial, seed)
    sample = Sample.of(
        instance.contexts(atoms or spec.fluid_contexts, generator), instance.mu, instance.W, instance.rho
    )
    prices = optimal_prices(sample, RESAMPLES, generator)
    few = sample if atoms else sample.rows(np.arange(min(spec.solved_contexts, len(sample))))
    steps = directions(spec.directions, spec.n_resources, generator)  # the same at all distances
    inside = binding_sets(few, region(sample, prices, min(spec.radii), generator) * steps[: spec.solved_directions])
    record = []
    for r in watched(sorted(spec.radii, reverse=True), method, "radii", progress):
        row = {"t": 1 / r, "gradient_change": gradient_change(sample, prices, r * np.abs(prices.lam).sum() * steps)}
        capacities = r * few.rho.mean() * steps[: spec.solved_directions]
        row |= {"price_change": price_change(few, capacities), "binding_sets": binding_sets(few, capacities)}
        record.append({**row, "binding_sets_inside": inside})
    return pd.DataFrame(record)


def gradient_change(sample: Sample, prices: Prices, steps: Floats) -> float:
    """|grad D(lam) - grad D(lam*)|_inf for lam = lam* + a step, where that is not negative, the mean over steps."""
    base = sample.consumption(prices.lam).mean(axis=0)
    nearby = np.maximum(prices.lam + steps, 0.0)
    return float(np.mean([np.abs(sample.consumption(lam).mean(axis=0) - base).max() for lam in nearby]))


def price_change(sample: Sample, steps: Floats) -> float:
    """|lam*(rho) - lam*(rho_0)|_1 for rho = rho_0 + a step, the mean over steps."""
    at_rho = _prices(sample, sample.rho)
    return float(np.mean([np.abs(_prices(sample, sample.rho + step) - at_rho).sum() for step in steps]))


def binding_sets(sample: Sample, steps: Floats) -> int:
    """How many binding sets there are at rho_0 and at rho_0 + a step."""
    capacities = [sample.rho, *(sample.rho + step for step in steps)]
    return len({tuple(_prices(sample, rho) > 0) for rho in capacities})


def region(sample: Sample, prices: Prices, share: float, generator: np.random.Generator) -> float:
    """delta'_rho of Lemma region-B+: the smaller of L delta_B / 2 and L delta_NB / (16 B_max^2 M)."""
    binds = prices.lam > 0
    radius = share * np.abs(prices.lam).sum()
    nearby = prices_nearby(sample, prices, radius, generator)
    growth = max(second_order_growth(sample, prices, nearby, 0.0).estimate, 0.0)
    margin = margin_constant(sample.scores(prices.lam), sample.n_resources).estimate
    gaps = [growth * prices.lam[binds].min() / 2] if binds.any() else []
    if not binds.all():
        gaps.append(growth * prices.slack[~binds].min() / (16 * np.abs(sample.costs).max() ** 2 * margin))
    return float(min(gaps))


def directions(n: int, size: int, generator: np.random.Generator) -> Floats:
    """Random steps of length 1 in the sum norm."""
    steps = generator.standard_normal((n, size))
    return steps / np.abs(steps).sum(axis=1, keepdims=True)


def _prices(sample: Sample, rho: Floats) -> Floats:
    """lam*(rho), the solver's rounding cut."""
    lam = solve_dual(sample.rewards, sample.costs, np.maximum(rho, 1e-6), np.inf).lam
    return np.where(lam > DUST * max(lam.max(), 1e-12), lam, 0.0)
