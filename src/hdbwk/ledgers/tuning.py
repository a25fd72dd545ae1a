"""Which value of a parameter serves a baseline best, on trials that no figure uses."""

from collections.abc import Mapping
from typing import TypedDict

import pandas as pd

from hdbwk.ledgers.numbers import intervals
from hdbwk.metrics.summary import bands


class Entry(TypedDict):
    """Values tried for one parameter of one method."""

    method: str
    key: str
    values: list[float]


def judge(entries: Mapping[str, Entry], trials: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """
    One row for each value tried: mean final regret with its band, and whether it is the best of its entry.

    Parameters
    ----------
    entries : mapping
        The section `tuning` of the configuration.
    trials : mapping
        The tables of all trials, by experiment; "tuning_x" belongs to the entry "x".
    """
    tables = []
    for label, entry in entries.items():
        table = trials[f"tuning_{label}"]
        ends = table[(table["horizon"] == table["horizon"].max()) & (table["t"] == table["horizon"])]
        regret = bands(ends, "regret", ["method"])
        values = pd.DataFrame({"method": [f"value_{i}" for i in range(len(entry["values"]))], "value": entry["values"]})
        rows = values.merge(regret, on="method").drop(columns="method")
        rows.insert(0, "tuning", label)
        rows.insert(1, "method", entry["method"])
        rows.insert(2, "key", entry["key"])
        tables.append(rows.assign(best=rows["mean"] == rows["mean"].min()))
    return pd.concat(tables, ignore_index=True)


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    return pd.DataFrame(
        {
            "method": table["method"],
            "key": table["key"],
            "value": table["value"].map("{:g}".format),
            "final regret (95% band)": intervals(table, "mean"),
            "trials": table["trials"],
            "best": table["best"].map({True: "yes", False: ""}),
        }
    )
