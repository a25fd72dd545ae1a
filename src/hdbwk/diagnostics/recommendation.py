"""Section 9: which variant of the method the assumptions allow."""

from collections.abc import Mapping
from dataclasses import dataclass

from hdbwk.diagnostics.finding import ASSUMPTIONS, Finding

RESOLVING, DIVERSE, EPS_GREEDY = "resolving", "diverse-covariate", "eps-greedy"
MEASURED = {  # the methods of the ledger `field`, whose best they are on the paper's instances
    "field_knapsack": ("resolving_lasso", "Algorithm 4 with the estimator online_lasso, refusing queries (skip)"),
    "field_bandit": ("sa_lasso", "SA-Lasso, a LASSO refitted in each round; greedy online_lasso is far quicker"),
}


@dataclass(frozen=True)
class Recommendation:
    """A variant, a sentence for each variant that says why or why not, what measured best, what no sample can show."""

    variant: str
    reasons: tuple[str, ...]
    measured: str
    unchecked: tuple[str, ...]


def recommend(findings: Mapping[str, Finding]) -> Recommendation:
    """The fastest variant whose assumptions all hold, by quantity."""
    diverse = findings.get("gamma") or findings["lambda_0"]
    dual = [finding for finding in findings.values() if finding.assumption[0] in "45"]
    resolving = _missing([findings["kappa"], *dual]) if dual else ["no knapsacks were given (mu, W, rho)"]
    greedy = _missing([diverse])
    reasons = [
        f"{RESOLVING} (Algorithm 4): " + ("; ".join(resolving) or "dual regularity, local diversity and margin hold"),
        f"{DIVERSE} (eps = 0): " + ("; ".join(greedy) or f"{diverse.quantity} is positive, greedy choices explore"),
        f"{EPS_GREEDY}: needs Assumption 1 alone: " + _basis(findings["kappa"], findings["D"]),
    ]
    variant = RESOLVING if not resolving else DIVERSE if not greedy else EPS_GREEDY
    _, measured = MEASURED["field_knapsack" if dual else "field_bandit"]
    return Recommendation(
        variant, tuple(f"{reason}." for reason in reasons), measured, tuple(_unchecked(findings, bool(dual)))
    )


def _missing(needed: list[Finding]) -> list[str]:
    """What speaks against a variant, once for each assumption."""
    faults = {f.assumption: f"{ASSUMPTIONS[f.assumption]} ({f.quantity}) {_verb(f)}" for f in needed if not f.holds}
    return list(faults.values())


def _verb(finding: Finding) -> str:
    return "fails" if finding.holds is False else "is undecided"


def _basis(kappa: Finding, bound: Finding) -> str:
    """How Assumption 1 stands."""
    first = {
        True: f"its kappa is about {kappa.estimate:.3g}",
        False: "its kappa is not bounded, so that no variant has a guarantee",
        None: "its kappa is undecided",
    }[kappa.holds]
    return first + (", its D does not exist" if bound.holds is False else "")


def _unchecked(findings: Mapping[str, Finding], dual: bool) -> list[str]:
    """What could not be checked."""
    missing = []
    if findings["D"].holds is None:
        missing.append("whether the law of the contexts is bounded")
    if findings["kappa"].how == "search":
        missing.append("supports that the search did not visit")
    missing.append("directions v that the search did not try, and allocations by estimates on the way to the model")
    missing.append("gaps below the smallest delta" if "M" in findings else "the margin, which needs a choice of arms")
    missing.append("the dual at capacities other than rho" if dual else "the dual, which needs mu, W and rho")
    return missing
