"""Warfarin: what share of the patients each policy treats right, and which can be told from the best."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from hdbwk.ledgers.numbers import intervals, short
from hdbwk.ledgers.trials import Tables
from hdbwk.metrics.inference import holm, p_positive, paired
from hdbwk.metrics.summary import paired_difference

BEST, LEVEL, BEHIND = "best", "cannot be told from the best", "behind the best"
EARLY = (500, 2000)  # patients after which the share is read, as in the prototype
KNOWN = ("fixed_shares", "optimum")


def judge(config: Mapping[str, Any], tables: Tables) -> pd.DataFrame:
    """
    One row for each policy and scarcity, the best first.

    The difference to the policy of the largest mean share has Student's interval over the random orders; it counts if
    its two-sided p-value is below the level after Holm's correction over all rows. All orders are of the same patients:
    the intervals say how sure a ranking is for these, not for others.
    """
    table = tables["warfarin"]
    rows = [row for scarcity, part in table.groupby("scarcity", sort=False) for row in _rows(str(scarcity), part)]
    result = pd.DataFrame(rows)
    compared = result["p_value"].notna()
    result.loc[compared, "p_value"] = holm(list(result.loc[compared, "p_value"]))
    behind = result["p_value"] <= config["ledgers"]["level"]
    result["verdict"] = behind.map({True: BEHIND, False: LEVEL}).where(compared, BEST)
    return result


def _rows(scarcity: str, part: pd.DataFrame) -> Iterator[dict[str, Any]]:
    rounds = part["t"].unique()
    last = max(rounds)
    shares = {t: part[part["t"] == t].pivot_table(index="trial", columns="method", values="right") for t in rounds}
    means = shares[last].mean().sort_values(ascending=False, kind="stable")
    known = part[list(KNOWN)].mean()
    for method, mean in means.items():
        row = {"scarcity": scarcity, "method": method}
        row |= {f"right_{t}": shares[t][method].mean() if t in shares else float("nan") for t in EARLY}
        row |= {"right": mean, **known, "share_of_optimum": mean / known["optimum"]}
        row |= {"served": part[part["method"] == method]["served"].mean()}
        row |= _against(shares[last][method], shares[last][means.index[0]]) if method != means.index[0] else {}
        yield {"difference": float("nan"), "low": float("nan"), "high": float("nan"), "p_value": float("nan")} | row


def _against(share: pd.Series, best: pd.Series) -> dict[str, float]:
    a, b = paired(share, best)
    difference = paired_difference(share, best)
    p_value = min(1.0, 2 * min(p_positive(a - b), p_positive(b - a)))
    return {"difference": difference.estimate, "low": difference.low, "high": difference.high, "p_value": p_value}


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    return pd.DataFrame(
        {
            "scarcity": table["scarcity"],
            "method": table["method"],
            **{f"after {t:,}": table[f"right_{t}"].map(short) for t in EARLY},
            "right doses": table["right"].map(short),
            "fixed shares": table["fixed_shares"].map(short),
            "optimum": table["optimum"].map(short),
            "treated": table["served"].map(short),
            "difference to the best": intervals(table, "difference", sign=True),
            "verdict": table["verdict"],
        }
    )
