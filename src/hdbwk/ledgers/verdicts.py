"""The words of the ledgers, and the rule for claims; for rates see `hdbwk.ledgers.rule`."""

from collections.abc import Iterable, Sequence

from hdbwk.ledgers.rule import ABOVE, CONSISTENT, EXCEEDS, NO_POWER

REPRODUCED, PARTLY, INCONCLUSIVE, FAILED = "reproduced", "partly", "inconclusive", "not reproduced"
ORDER = (REPRODUCED, "holds", CONSISTENT, PARTLY, INCONCLUSIVE, "unclear", NO_POWER, FAILED, "fails", EXCEEDS, ABOVE)


def all_of(holds: Sequence[bool], contradicted: Sequence[bool]) -> str:
    """Reproduced if each check holds, partly if some do; if none does, not reproduced if one is contradicted."""
    if all(holds):
        return REPRODUCED
    if any(holds):
        return PARTLY
    return FAILED if any(contradicted) else INCONCLUSIVE


def counted(verdicts: Iterable[str]) -> str:
    """How often each word occurs, the most favourable first, as a sentence."""
    found = list(verdicts)
    return ", ".join(f"{found.count(word)} {word}" for word in sorted(set(found), key=_rank))


def _rank(word: str) -> int:
    return ORDER.index(word) if word in ORDER else len(ORDER)
