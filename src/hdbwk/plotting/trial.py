"""One trial: what its methods did, round by round."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from hdbwk.plotting.style import WIDTH, line_styles, look, save


def draw(table: pd.DataFrame, spec: Any, title: str, paths: Sequence[str | Path]) -> None:
    """
    Draw a panel for each measure, a colour for each method.

    Parameters
    ----------
    table : DataFrame
        Columns ``method``, ``measure``, ``resource``, ``t``, ``value``.
    spec : Experiment
        The experiment, with the methods that are drawn.
    title : str
    paths : sequence of paths
    """
    styles = line_styles({method: params.family for method, params in spec.methods.items()})
    panels = spec.panels or {measure: (measure, measure) for measure in table["measure"].unique()}
    width = WIDTH if len(panels) > 1 else 4.2
    with look():
        figure, axes = plt.subplots(1, len(panels), figsize=(width, 2.9), layout="constrained", squeeze=False)
        for ax, (measure, (name, axis)) in zip(axes[0], panels.items(), strict=True):
            for method, params in spec.methods.items():
                rows = table[(table["measure"] == measure) & (table["method"] == method)]
                _lines(ax, rows, styles[method], params.label(method))
            ax.set(title=name, xlabel="round $t$", ylabel=axis, xlim=(0, spec.horizon))
        if "error" in panels:
            axes[0, 0].set_yscale("log")
        figure.suptitle(title, fontsize=8.5)
        figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        save(figure, paths)


def _lines(ax: Any, rows: pd.DataFrame, style: Mapping[str, Any], label: str) -> None:
    """One line, or a thin one for each resource."""
    if rows["resource"].isna().all():
        ax.plot(rows["t"], rows["value"], label=label, **style)
        return
    for _, line in rows.groupby("resource"):
        ax.plot(line["t"], line["value"], linewidth=0.7, alpha=0.7, **style)
