"""What a round of the methods of the field costs: it differs from run to run, so it stands apart from the ledger."""

from collections.abc import Mapping

import pandas as pd

from hdbwk.ledgers.field import REFERENCES
from hdbwk.ledgers.numbers import short


def judge(times: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Seconds of a round of each method, and as a multiple of those of the paper's, by experiment."""
    tables = []
    for name, table in times.items():
        seconds = table.set_index("method")["seconds"]
        ratio = seconds / seconds[REFERENCES[name]]
        tables.append(pd.DataFrame({"experiment": name, "seconds": seconds, "ratio": ratio}).reset_index())
    return pd.concat(tables, ignore_index=True)[["experiment", "method", "seconds", "ratio"]]


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    return pd.DataFrame(
        {
            "experiment": table["experiment"],
            "method": table["method"],
            "microseconds a round": (1e6 * table["seconds"]).map(short),
            "ratio to the paper's": table["ratio"].map(short),
        }
    )
