"""Numbers as people read them."""

import math

import pandas as pd


def short(value: float, digits: int = 3, sign: bool = False) -> str:
    """At least `digits` significant digits: all digits before the point are kept below a million."""
    plus = "+" if sign else ""
    return f"{value:{plus}.0f}" if 100 <= abs(value) < 1e6 else f"{value:{plus}.{digits}g}"


def between(low: float, high: float, digits: int = 3, sign: bool = False) -> str:
    """Two limits; nothing if there are none."""
    return f"{short(low, digits, sign)} to {short(high, digits, sign)}" if math.isfinite(low) else ""


def intervals(
    table: pd.DataFrame, value: str, low: str = "low", high: str = "high", digits: int = 3, sign: bool = False
) -> list[str]:
    """A column of values, each with its limits, if it has any."""
    return [
        "none" if math.isnan(middle) else f"{short(middle, digits, sign)} ({between(least, most, digits, sign)})"
        for middle, least, most in table[[value, low, high]].itertuples(index=False)
    ]
