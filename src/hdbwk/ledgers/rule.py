"""The rule of the rates ledger: which word a row gets.

Written and tested on synthetic curves before any run (`tests/ledgers/test_rule.py`). Whatever is changed here, in a
size or in a number of trials after a first look at results is a line of ``ledgers/CHANGES.md``.
"""

import math

import pandas as pd

from hdbwk.metrics.inference import holm

CONSISTENT, EXCEEDS, ABOVE, NO_POWER = "consistent", "growth exceeds the bound", "above the bound", "no power"
EXCESS = (
    0.25  # the excess that a row must be able to find before it may say "consistent": of an exponent, or of a level
)


def row_level(level: float, rows: int) -> float:
    """The level at which one of many rows is found: Holm's first step, so that power allows for the correction."""
    return level / max(rows, 1)


def verdicts(rows: pd.DataFrame, level: float = 0.05) -> list[str]:
    """
    The word for each row.

    A row contradicts its bound if its p-value stays below `level` after Holm's correction over all rows that are not
    controls; a control is judged by itself. What does not contradict is consistent if it could have: if an excess
    of 0.25 would have been found with a probability of 0.9. Otherwise the row has no power, and says so.

    Parameters
    ----------
    rows : DataFrame
        Columns ``p_value`` and ``found`` (see `hdbwk.metrics.growth`, `hdbwk.metrics.level`), ``control``, and
        ``measures``, which is "growth" or "level".
    level : float
        Probability of a false contradiction among all rows.
    """
    judged = ~rows["control"].astype(bool)
    p_values = rows["p_value"].copy()
    p_values[judged] = holm(p_values[judged].tolist())
    words = {"growth": EXCEEDS, "level": ABOVE}
    return [
        words[measures] if p <= level else CONSISTENT if found <= EXCESS else NO_POWER
        for measures, p, found in zip(rows["measures"], p_values, rows["found"], strict=True)
    ]


def why_no_power(resolution: float, excess: float, measures: str) -> str:
    """What keeps a row from finding an excess of 0.25: its sizes, its noise, its distance from the bound, or a fall."""
    if math.isinf(resolution):
        return "fewer than five sizes, or means that are not positive"
    if resolution > EXCESS:
        return f"noise: an excess is seen from {resolution:.2f} on"
    if measures == "level":
        return f"lies {-excess:.0%} below the bound"
    if excess < resolution - EXCESS:
        return f"grows slower than the bound by {-excess:.2f} in the exponent"
    return "its exponents still fall"
