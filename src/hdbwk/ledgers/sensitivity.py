"""What each choice of ours changes: a variant against its base, trial by trial."""

from collections.abc import Mapping

import pandas as pd

from hdbwk.ledgers.numbers import intervals, short
from hdbwk.metrics.summary import paired_difference

MEASURES = {  # experiment: measure, column, how a trial's rounds are summed up
    "recovery": [("error at T", "error", "last"), ("largest error", "error", "max")],
    "bandit": [("regret at T = 1000", "regret", "last")],
    "cbwk": [("regret at T = 1000", "regret", "last")],
}


def judge(bases: Mapping[str, str], trials: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """
    One row for each variant, method and measure: both means, the paired difference and its 95% interval.

    Parameters
    ----------
    bases : mapping
        The base of each variant.
    trials : mapping
        The tables of all trials of variants and bases, by experiment.
    """
    rows = []
    for variant, base in bases.items():
        before, after = _same_horizon(trials[base], trials[variant])
        for method in after["method"].unique():
            for measure, column, how in MEASURES[base]:
                default = _by_trial(before, method, column, how)
                changed = _by_trial(after, method, column, how)
                common = default.index.intersection(changed.index)
                row = {"variant": variant, "method": method, "measure": measure}
                row |= {"default": default[common].mean(), "changed": changed[common].mean()}
                row |= paired_difference(changed[common], default[common])._asdict()
                rows.append({**row, "trials": len(common)})
    return pd.DataFrame(rows).rename(columns={"estimate": "difference"})


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    return (
        table.assign(
            default=table["default"].map(short),
            changed=table["changed"].map(short),
            difference=intervals(table, "difference", digits=2, sign=True),
        )
        .drop(columns=["low", "high"])
        .rename(columns={"difference": "difference (95% interval)"})
    )


def _by_trial(table: pd.DataFrame, method: str, column: str, how: str) -> pd.Series:
    """One number for each trial of a method."""
    return table[table["method"] == method].groupby("trial")[column].agg(how)


def _same_horizon(*tables: pd.DataFrame) -> list[pd.DataFrame]:
    """Of sweeps over horizons, the longest that all tables have."""
    if "horizon" not in tables[0]:
        return list(tables)
    longest = max(set.intersection(*(set(table["horizon"]) for table in tables)))
    return [table[table["horizon"] == longest] for table in tables]
