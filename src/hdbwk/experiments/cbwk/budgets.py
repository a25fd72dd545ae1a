"""Figure 3b: one trial from inside, and when the runs end."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from hdbwk.experiments.cbwk.spec import CBwK
from hdbwk.plotting.style import WIDTH, colour_of, look, save

MEASURES = {"remaining": "capacity left", "price": r"price $\lambda_i$"}


def curves(trials: pd.DataFrame, budgets: pd.DataFrame, spec: CBwK) -> pd.DataFrame:
    """The data of the figure: capacities and prices of one trial, and the stopping times of all."""
    shown = budgets[(budgets["t"] % spec.read_every == 0) | (budgets["t"] == 1)]
    inside = shown.melt(["method", "resource", "t"], list(MEASURES), var_name="measure")
    ends = trials[(trials["horizon"] == spec.horizon) & (trials["t"] == spec.horizon)]
    stops = ends[["method", "trial", "stopping_time"]].rename(columns={"stopping_time": "value"})
    return pd.concat([inside.dropna(), stops.assign(measure="stopping_time")], ignore_index=True)


def draw(data: pd.DataFrame, spec: CBwK, paths: Sequence[str | Path]) -> None:
    """A column for each method (capacities above, prices below), the stopping times at the bottom."""
    with look():
        figure = plt.figure(figsize=(WIDTH, 6.0), layout="constrained")
        panels: Any = figure.subfigures(2, 1, height_ratios=[1.5, 1])
        _inside(panels[0], data, spec)
        _stopping_times(panels[1].subplots(), data[data["measure"] == "stopping_time"], spec)
        save(figure, paths)


def _inside(figure: SubFigure, data: pd.DataFrame, spec: CBwK) -> None:
    """Capacities and prices of one trial."""
    axes = figure.subplots(2, len(spec.methods), sharex=True, sharey="row", squeeze=False)
    lines = {"x": "t", "y": "value", "units": "resource", "estimator": None, "linewidth": 0.7, "alpha": 0.7}
    for column, (method, params) in enumerate(spec.methods.items()):
        axes[0, column].set_title(params.label(method).replace(" (", "\n(").replace(", ", "\n"), fontsize=6)
        for ax, (measure, name) in zip(axes[:, column], MEASURES.items(), strict=True):
            rows = data[(data["measure"] == measure) & (data["method"] == method)]
            sns.lineplot(rows, **lines, color=colour_of(params.family), ax=ax)
            ax.set(xlabel="", ylabel=name, xlim=(0, spec.horizon), xticks=[0, spec.horizon])
            ax.tick_params(labelsize=6)
            ax.label_outer()
    figure.supxlabel("round $t$ of one trial, a line for each resource", fontsize=7)


def _stopping_times(ax: Axes, stops: pd.DataFrame, spec: CBwK) -> None:
    """All trials as dots, with the share of them that reached T."""
    dots: Any = {"s": 6, "alpha": 0.6, "linewidth": 0, "clip_on": False}
    for place, (method, params) in enumerate(spec.methods.items()):
        values = stops[stops["method"] == method].sort_values("trial")["value"].to_numpy(dtype=float)
        heights = place + np.linspace(-0.3, 0.3, len(values))
        sns.scatterplot(x=values, y=heights, color=colour_of(params.family), **dots, ax=ax)
        share = (values == spec.horizon).mean()
        ax.text(1.015 * spec.horizon, place, f"{share:.0%} reach $T$", fontsize=6.5, va="center")
    labels = [params.label(method) for method, params in spec.methods.items()]
    ax.set_yticks(range(len(labels)), labels, fontsize=6.5)
    ax.set(xlabel="stopping time", xlim=(None, spec.horizon), title="When the runs end, all trials")
    ax.invert_yaxis()
