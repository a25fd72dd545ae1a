"""One trial: what its methods did, round by round."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.lines import Line2D

from hdbwk.plotting.bands import by_method
from hdbwk.plotting.style import WIDTH, line_styles, look, save


def draw(table: pd.DataFrame, spec: Any, title: str, paths: Sequence[str | Path]) -> None:
    """
    Draw a panel for each measure, a line for each method, or a thin one for each of its resources.

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
    with look():
        size = (WIDTH if len(panels) > 1 else 4.2, 2.9)
        figure, axes = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)
        for ax, (measure, (name, axis)) in zip(axes[0], panels.items(), strict=True):
            rows = table[table["measure"] == measure]
            thin = {"linewidth": 0.7, "alpha": 0.7} if rows["resource"].notna().any() else {}
            lines = {"x": "t", "y": "value", "units": "resource", "estimator": None, **thin, **by_method(styles)}
            sns.lineplot(rows.fillna({"resource": 0}), **lines, ax=ax)
            ax.set(title=name, xlabel="round $t$", ylabel=axis, xlim=(0, spec.horizon))
        if "error" in panels:
            axes[0, 0].set_yscale("log")
        figure.suptitle(title, fontsize=8.5)
        legend = [Line2D([], [], label=params.label(m), **styles[m]) for m, params in spec.methods.items()]
        figure.legend(handles=legend, loc="outside lower center", ncols=3)
        save(figure, paths)
