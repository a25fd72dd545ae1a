"""The words of the ledgers, and the rules that give them."""

import math
from collections.abc import Iterable, Sequence

from hdbwk.metrics.summary import Interval

REPRODUCED, PARTLY, INCONCLUSIVE, FAILED = "reproduced", "partly", "inconclusive", "not reproduced"
PRACTICAL = 100  # times as many trials, at most, are worth a mention


def upper_bound(measured: Interval, limit: float) -> str:
    """Reproduced if the whole interval is at most the limit, not reproduced if it is above, else inconclusive."""
    if measured.high <= limit:
        return REPRODUCED
    return FAILED if measured.low > limit else INCONCLUSIVE


def all_of(holds: Sequence[bool], contradicted: Sequence[bool]) -> str:
    """Reproduced if each check holds, partly if some do; if none does, not reproduced if one is contradicted."""
    if all(holds):
        return REPRODUCED
    if any(holds):
        return PARTLY
    return FAILED if any(contradicted) else INCONCLUSIVE


def trials_needed(measured: Interval, limit: float, trials: int) -> float:
    """How many would decide an inconclusive row: the interval shrinks with the root of their number."""
    distance = abs(limit - measured.estimate)
    if not math.isfinite(distance) or not distance:
        return math.inf
    return max(math.ceil(trials * ((measured.high - measured.low) / 2 / distance) ** 2), trials + 1)


def would_decide(needed: float, trials: int) -> str:
    """What an inconclusive row asks for; nothing where no number of trials is needed."""
    if math.isnan(needed):
        return ""
    if math.isinf(needed):
        return "larger sizes: the means do not allow a fit"
    if needed > PRACTICAL * trials:
        return "larger sizes: the estimate is too near to the limit for more trials to decide"
    return f"about {needed:.0f} trials instead of {trials}, or larger sizes"


def counted(verdicts: Iterable[str]) -> str:
    """How often each word occurs, the most favourable first, as a sentence."""
    found = list(verdicts)
    order = {REPRODUCED: 0, "holds": 0, PARTLY: 1, INCONCLUSIVE: 2, "unclear": 2, FAILED: 3, "fails": 3}
    return ", ".join(f"{found.count(word)} {word}" for word in sorted(set(found), key=lambda word: order.get(word, 4)))
