"""Unknown s0: `sparsity: auto` against the best of its levels, and against s0 known."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from hdbwk.ledgers.numbers import intervals, short
from hdbwk.ledgers.trials import Tables
from hdbwk.metrics.inference import ratio_of_means

MEASURES = {"rates_unknown_recovery": "error", "rates_unknown_bandit": "regret"}
ESTIMATORS = {"ht": "Online HT", "lasso": "online LASSO"}


def judge(config: Mapping[str, Any], tables: Tables) -> pd.DataFrame:
    """
    One row for each estimator, measure, s0 and round that was read: means, and ratios with Fieller's intervals.

    The best level is that of the smallest mean on these very trials, which flatters it a little.
    """
    rows = [
        {"experiment": name, "measure": measure, "s0": size, "t": t, **row}
        for name, measure in MEASURES.items()
        if name in tables
        for (size, t), part in tables[name].groupby(["size", "t"])
        for row in _rows(part.pivot_table(index="trial", columns="method", values=measure))
    ]
    return pd.DataFrame(rows)


def _rows(values: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for key, estimator in ESTIMATORS.items():
        levels = [name for name in values if name.startswith("level_") and name.endswith(f"_{key}")]
        if not levels:
            continue
        auto, known = values[f"auto_{key}"], values[f"known_{key}"]
        best = values[levels].mean().idxmin()
        row = {"estimator": estimator, "auto": auto.mean(), "known": known.mean()}
        row |= {"best": values[best].mean(), "best_level": int(str(best).split("_")[1])}
        for other, name in ((values[best], "best"), (known, "known")):
            ratio = ratio_of_means(auto, other)
            row |= {f"to_{name}": ratio.estimate, f"to_{name}_low": ratio.low, f"to_{name}_high": ratio.high}
        yield {**row, "trials": len(values)}


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    return pd.DataFrame(
        {
            "estimator": table["estimator"],
            "measure": table["measure"],
            "s0": table["s0"].map("{:g}".format),
            "t": table["t"],
            "auto": table["auto"].map(short),
            "best level": [f"{short(v)} (s0' = {n})" for v, n in zip(table["best"], table["best_level"], strict=True)],
            "s0 known": table["known"].map(short),
            "auto over best level": intervals(table, "to_best", "to_best_low", "to_best_high"),
            "auto over s0 known": intervals(table, "to_known", "to_known_low", "to_known_high"),
        }
    )
