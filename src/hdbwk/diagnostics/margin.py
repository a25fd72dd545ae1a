"""Assumptions 3 and 4(ii): the gap between the best and the second-best arm is seldom small.

M is the largest P(gap <= delta) / delta over a grid of delta. Below the grid the sample has too few contexts to say.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import beta

from hdbwk.diagnostics.finding import Finding, above
from hdbwk.diagnostics.sample import Floats, Sample

TIE = 1e-7  # gaps below this share of the mean best score are ties
TIES_ALLOWED = 0.01  # share of ties beyond the m that an optimal vertex of the dual makes
FINEST = 10  # the grid goes down to median / 2^10 at most
CONTEXTS_BELOW = 10  # and not below where an even law would leave fewer contexts
LEVEL = 0.05  # of the simultaneous bounds over the grid


class Margin(NamedTuple):
    """M with simultaneous 95% bounds, the median gap, the smallest delta of the grid, and the share of ties."""

    estimate: float
    low: float
    high: float
    median: float
    finest: float
    ties: float

    @property
    def finite(self) -> bool:
        """Whether there is an estimate."""
        return bool(np.isfinite(self.estimate))


def gaps(scores: Floats) -> Floats:
    """Best minus second-best score of each context."""
    best = np.partition(scores, scores.shape[1] - 2, axis=1)
    return best[:, -1] - best[:, -2]


def margin_constant(scores: Floats, n_resources: int) -> Margin:
    """M of one price vector; infinite if too many contexts are tied."""
    gap = gaps(scores)
    n, median = len(gap), float(np.median(gap))
    tied = int((gap <= TIE * np.abs(scores).max(axis=1).mean()).sum())
    ties = max(tied - n_resources, 0) / n
    if ties > TIES_ALLOWED or median == 0.0:
        return Margin(np.inf, np.inf, np.inf, median, 0.0, ties)
    halvings = min(FINEST, max(int(np.log2(n / CONTEXTS_BELOW)) - 1, 1))
    deltas = median * 2.0 ** np.arange(-halvings, 3)
    count = (gap[:, None] <= deltas).sum(axis=0)
    tail = LEVEL / len(deltas)
    upper = np.where(count < n, beta.ppf(1 - tail, count + 1, np.maximum(n - count, 1)), 1.0)  # Clopper-Pearson
    lower = np.where(count > 0, beta.ppf(tail, np.maximum(count, 1), n - count + 1), 0.0)
    estimate, low, high = (float((share / deltas).max()) for share in (count / n, lower, upper))
    return Margin(estimate, low, high, median, float(deltas[0]), ties)


def static_margin(sample: Sample, lam: Floats, margin_max: float) -> Finding:
    """Assumption 3, at the prices lambda*."""
    margin = margin_constant(sample.scores(lam), sample.n_resources)
    if not margin.finite:
        note = f"no finite M: {margin.ties:.1%} of contexts have two best arms"
    else:
        relative = f"{margin.estimate * margin.median:.2g}, {margin_max:g} is allowed"
        note = f"delta from {margin.finest:.2g} up; M times the median gap is {relative}"
    return Finding("3", "M", *margin[:3], "sample", _bounded(margin, margin_max), note)


def local_margin(sample: Sample, nearby: Floats, margin_max: float) -> Finding:
    """Assumption 4(ii): the largest M over all prices nearby."""
    margins = [margin_constant(sample.scores(lam), sample.n_resources) for lam in nearby]
    worst = max(margins, key=lambda margin: margin.estimate)
    note = f"largest over {len(nearby)} price vectors around lambda*"
    return Finding("4(ii)", "M (local)", *worst[:3], "search", _bounded(worst, margin_max), note)


def _bounded(margin: Margin, margin_max: float) -> bool | None:
    if not margin.finite:
        return False
    return above(-margin_max, -margin.high * margin.median, -margin.low * margin.median)
