"""What each choice of ours changes: a variant against its base, trial by trial."""

from collections.abc import Mapping

import pandas as pd

from hdbwk.metrics.summary import paired_difference

MEASURES = {  # experiment: measure, column, how a trial's rounds are summed up
    "recovery": [("error at T", "error", "last"), ("largest error", "error", "max")],
}


def sensitivity(bases: Mapping[str, str], trials: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """
    One row for each variant, method and measure: both means, the paired difference and its 95% interval.

    Parameters
    ----------
    bases : mapping
        Variant to the experiment that it changes.
    trials : mapping
        The tables of all trials of variants and bases, by experiment.
    """
    rows = []
    for variant, base in bases.items():
        for method in trials[variant]["method"].unique():
            for measure, column, how in MEASURES[base]:
                default = _by_trial(trials[base], method, column, how)
                changed = _by_trial(trials[variant], method, column, how)
                common = default.index.intersection(changed.index)
                row = {"variant": variant, "method": method, "measure": measure}
                row |= {"default": default[common].mean(), "changed": changed[common].mean()}
                row |= paired_difference(changed, default)._asdict()
                rows.append({**row, "trials": len(common)})
    return pd.DataFrame(rows).rename(columns={"estimate": "difference"})


def markdown(table: pd.DataFrame) -> str:
    """The table for people."""
    lines = [
        "| variant | method | measure | default | changed | difference (95% interval) | trials |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in table.itertuples():
        lines.append(
            f"| {row.variant} | {row.method} | {row.measure} | {row.default:.3g} | {row.changed:.3g} "
            f"| {row.difference:+.2g} ({row.low:+.2g} to {row.high:+.2g}) | {row.trials} |"
        )
    return "\n".join(lines) + "\n"


def _by_trial(table: pd.DataFrame, method: str, column: str, how: str) -> pd.Series:
    """One number for each trial of a method."""
    return table[table["method"] == method].groupby("trial")[column].agg(how)
