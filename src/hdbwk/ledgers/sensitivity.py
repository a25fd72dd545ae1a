"""What each choice of ours changes: the last round of a variant against that of its base, trial by trial."""

from collections.abc import Mapping

import pandas as pd

from hdbwk.metrics.summary import paired_difference

MEASURES = {"recovery": "error"}


def sensitivity(
    bases: Mapping[str, str], trials: Mapping[str, pd.DataFrame], measures: Mapping[str, str] = MEASURES
) -> pd.DataFrame:
    """
    One row for each variant and method: both means, the paired difference and its 95% interval.

    Parameters
    ----------
    bases : mapping
        Variant to the experiment that it changes.
    trials : mapping
        The tables of all trials of variants and bases, by experiment.
    measures : mapping
        Experiment to the column that is compared at the last round.
    """
    rows = []
    for variant, base in bases.items():
        for method in trials[variant]["method"].unique():
            default = _last(trials[base], method, measures[base])
            changed = _last(trials[variant], method, measures[base])
            difference, low, high = paired_difference(changed, default)
            common = default.index.intersection(changed.index)
            rows.append(
                {
                    "variant": variant,
                    "method": method,
                    "measure": measures[base],
                    "default": default[common].mean(),
                    "changed": changed[common].mean(),
                    "difference": difference,
                    "low": low,
                    "high": high,
                    "trials": len(common),
                }
            )
    return pd.DataFrame(rows)


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


def _last(table: pd.DataFrame, method: str, measure: str) -> pd.Series:
    """The measure of a method at the last round, by trial."""
    rows = table[(table["method"] == method) & (table["t"] == table["t"].max())]
    return rows.set_index("trial")[measure]
