"""Measure every assumption on a sample of contexts, and say which variant to use."""

import textwrap
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from hdbwk.core.seeds import rng
from hdbwk.core.validation import positive_int
from hdbwk.diagnostics.diversity import (
    diverse_covariates,
    half_space_diversity,
    local_diversity,
    split,
    worst_directions,
)
from hdbwk.diagnostics.dual_regularity import non_degeneracy, optimal_prices, prices_nearby, second_order_growth
from hdbwk.diagnostics.eigenvalues import boundedness, sparse_eigenvalues
from hdbwk.diagnostics.finding import ASSUMPTIONS, Finding
from hdbwk.diagnostics.margin import local_margin, static_margin
from hdbwk.diagnostics.recommendation import recommend
from hdbwk.diagnostics.sample import Sample, checked_contexts
from hdbwk.diagnostics.thresholds import Thresholds
from hdbwk.dual.validation import finite_array
from hdbwk.environments.contexts import Floats


@dataclass(frozen=True)
class Diagnosis:
    """
    What a sample of contexts, and a model if there is one, say of the paper's assumptions.

    Attributes
    ----------
    findings : tuple of Finding
        One for each constant; ``diagnosis["kappa"]`` looks one up.
    recommendation : {"resolving", "diverse-covariate", "eps-greedy"}
        The variant to use by Section 9.
    reasons : tuple of str
        A sentence for each variant.
    measured : str
        What had the smallest regret in the ledger `field`, on instances of the paper.
    unchecked : tuple of str
        What could not be checked.
    sizes : str
        What was looked at.
    """

    findings: tuple[Finding, ...]
    recommendation: str
    reasons: tuple[str, ...]
    measured: str
    unchecked: tuple[str, ...]
    sizes: str

    def __getitem__(self, quantity: str) -> Finding:
        found = {finding.quantity: finding for finding in self.findings}
        if quantity not in found:
            raise KeyError(f"{quantity!r} was not measured; there are {', '.join(found)}")
        return found[quantity]

    def table(self) -> pd.DataFrame:
        """The findings as a tidy table: assumption, quantity, estimate, low, high, how, holds, note."""
        return pd.DataFrame([asdict(finding) for finding in self.findings])

    def __str__(self) -> str:
        lines = [f"Diagnosis of {self.sizes}", ""]
        title = None
        for finding in self.findings:
            if finding.assumption != title:
                title = finding.assumption
                lines.append(f"Assumption {title}: {ASSUMPTIONS[title]}")
            lines += _rows(finding)
        lines += ["", f"Recommended: {self.recommendation}"]
        lines += [line for reason in self.reasons for line in _wrapped(reason, "  - ")]
        lines += _wrapped(f"Measured best (ledger `field`): {self.measured}.", "")
        lines += ["Not checked:"]
        lines += [line for gap in self.unchecked for line in _wrapped(gap, "  - ")]
        return "\n".join(lines)


def diagnose(
    X: Any,
    *,
    mu: Any = None,
    W: Any = None,
    rho: Any = None,
    sparsity: int = 10,
    bound: float | None = None,
    second_moment: Any = None,
    zeta: float | None = None,
    thresholds: Thresholds | None = None,
    resamples: int = 12,
    seed: int = 0,
) -> Diagnosis:
    """
    Measure the paper's assumptions and recommend a variant (Section 9).

    Parameters
    ----------
    X : array of shape (n, d)
        Independent contexts, at least 40 and at least 20 for each arm.
    mu : array of shape (K, d), optional
        Reward parameters, fitted or true. Without them only the contexts are judged.
    W : array of shape (K, m, d), optional
        Consumption parameters; with them there is a null arm.
    rho : array of shape (m,), optional
        Capacity per round, positive; needed with `W`.
    sparsity : int
        s: eigenvalues are over supports of size 2s.
    bound : float, optional
        D of the law of the contexts if it is known, infinity if the law has none.
    second_moment : array of shape (d, d), optional
        E x x' if it is known; otherwise that of the sample.
    zeta : float, optional
        Probability at which gamma is measured, 1 / (10K) by default: a tenth of an equal share of the contexts.
    thresholds : Thresholds, optional
        From which values on a constant is good enough.
    resamples : int
        Bootstrap samples for the error of lambda*, at least 2.
    seed : int
        Equal seeds give equal reports.

    Examples
    --------
    >>> from hdbwk import diagnose, rng
    >>> X = rng(1, "contexts").standard_normal((2000, 5))
    >>> diagnose(X, mu=[[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]], sparsity=1).recommendation
    'diverse-covariate'
    """
    limits = thresholds or Thresholds()
    X = checked_contexts(X)
    size = 2 * positive_int("sparsity", sparsity)
    _check_numbers(resamples, zeta)
    findings = [boundedness(X, bound), *_eigenvalues(X, second_moment, size, limits.kappa_max)]
    sample = Sample.of(X, mu, W, rho) if any(part is not None for part in (mu, W, rho)) else None
    findings += (
        _of_model(sample, zeta, size, limits, resamples, seed) if sample else [_of_contexts(X, size, limits, seed)]
    )
    advice = recommend({finding.quantity: finding for finding in findings})
    return Diagnosis(
        tuple(findings), advice.variant, advice.reasons, advice.measured, advice.unchecked, _sizes(X, sample)
    )


def _check_numbers(resamples: int, zeta: float | None) -> None:
    if positive_int("resamples", resamples) < 2:
        raise ValueError(f"resamples = {resamples} must be at least 2")
    if zeta is not None and not 0 < zeta < 1:
        raise ValueError(f"zeta = {zeta} must lie inside (0, 1)")


def _sizes(X: Floats, sample: Sample | None) -> str:
    contexts = f"{len(X)} contexts in dimension {X.shape[1]}"
    return f"{contexts}, K = {sample.n_arms} arms, m = {sample.n_resources} resources" if sample else contexts


def _eigenvalues(X: Floats, second_moment: Any, size: int, kappa_max: float) -> list[Finding]:
    """Assumption 1.2 for E x x' where it is known, else for that of the sample."""
    n, d = X.shape
    if second_moment is None:
        return list(sparse_eigenvalues(X.T @ X / n, size, n, kappa_max))
    S = finite_array("second_moment", second_moment, (d, d))
    if not np.allclose(S, S.T):
        raise ValueError("second_moment is not symmetric")
    return list(sparse_eigenvalues(S, size, None, kappa_max))


def _of_contexts(X: Floats, size: int, limits: Thresholds, seed: int) -> Finding:
    """What contexts alone say of Assumption 2."""
    seek, measure = split(len(X), rng(seed, "diagnose", "split"))
    return half_space_diversity(X[seek], X[measure], size, limits.gamma_min, rng(seed, "diagnose", "directions"))


def _of_model(
    sample: Sample, zeta: float | None, size: int, limits: Thresholds, resamples: int, seed: int
) -> list[Finding]:
    """Assumptions 2 and 3 at lambda*, and with knapsacks 4 and 5 around it."""
    zeta = 1 / (10 * sample.n_arms) if zeta is None else zeta
    seek, measure = map(sample.rows, split(len(sample.X), rng(seed, "diagnose", "split")))
    knapsacks = sample.n_resources > 0
    prices = optimal_prices(sample, resamples, rng(seed, "diagnose", "bootstrap")) if knapsacks else None
    lam = prices.lam if prices else np.zeros(0)
    directions = worst_directions(seek, lam, zeta, size, rng(seed, "diagnose", "directions"))
    diversity, worst = diverse_covariates(measure, lam, directions, zeta, limits.gamma_min)
    findings = [diversity]
    if knapsacks or sample.n_arms > 1:
        findings.append(static_margin(sample, lam, limits.margin_max))
    if prices:
        nearby = prices_nearby(sample, prices, limits.radius * prices.scale, rng(seed, "diagnose", "nearby"))
        ball = np.vstack([lam, nearby])
        findings += [
            local_diversity(measure, ball, worst, zeta, limits.gamma_min),
            local_margin(sample, ball, limits.margin_max),
            second_order_growth(sample, prices, nearby, limits.growth_min),
            *non_degeneracy(prices, limits.degenerate),
        ]
    return findings


def _rows(finding: Finding) -> list[str]:
    """A finding in the report: its numbers, then its note."""
    between = f"{finding.low:.3g} to {finding.high:.3g}" if np.isfinite(finding.low) else ""
    numbers = f"  {finding.quantity:<14}{finding.estimate:>9.3g}   {between:<20} {finding.how:<10} {finding.verdict}"
    return [numbers.rstrip(), *_wrapped(finding.note, "      ")]


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, 96, initial_indent=indent, subsequent_indent=" " * len(indent))
