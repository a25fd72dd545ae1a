"""Figure 1: sparse recovery."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from hdbwk.metrics.summary import bands
from hdbwk.plotting.style import WIDTH, band, caption, line_styles, look, save


def curves(trials: pd.DataFrame, spec: Any) -> pd.DataFrame:
    """The data of the figure: mean and band of both measures for each method and round."""
    parts = {measure: bands(trials, measure, ["method", "t"]) for measure in spec.panels}
    data = pd.concat([part.assign(measure=measure) for measure, part in parts.items()])
    unconverged = trials.groupby("method")["unconverged"].sum().rename("unconverged_solves")
    return data.merge(unconverged, on="method")[
        ["measure", "method", "t", "mean", "low", "high", "trials", "unconverged_solves"]
    ]


def draw(data: pd.DataFrame, spec: Any, paths: Sequence[str | Path]) -> None:
    """Draw Figure 1 from its data."""
    methods = {method: params.family for method, params in spec.methods.items()}
    styles = line_styles(methods)
    with look():
        figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.7), layout="constrained")
        for ax, (measure, (title, name)) in zip(axes, spec.panels.items(), strict=True):
            for method in methods:
                rows = data[(data["measure"] == measure) & (data["method"] == method)]
                band(ax, rows["t"], _positive(rows, measure), styles[method], spec.methods[method].label(method))
            ax.set(title=title, xlabel="round $t$", ylabel=name, xlim=(0, spec.horizon))
        axes[0].set_yscale("log")
        axes[1].set_ylim(0, 1.03)
        figure.legend(*_ordered_legend(axes[0], data), loc="outside right center")
        figure.supxlabel(caption(data, spec), fontsize=6.2, color="0.35")
        save(figure, paths)


def _positive(rows: pd.DataFrame, measure: str) -> pd.DataFrame:
    """On the log axis a band that reaches zero ends a decade below its mean."""
    return rows.assign(low=rows["low"].clip(lower=rows["mean"] / 10)) if measure == "error" else rows


def _ordered_legend(ax: Any, data: pd.DataFrame) -> tuple[list[Any], list[str]]:
    """Handles and labels in the order in which the curves end."""
    handles, labels = ax.get_legend_handles_labels()
    order = sorted(range(len(handles)), key=lambda i: -handles[i].get_ydata()[-1])
    return [handles[i] for i in order], [labels[i] for i in order]
