"""Figure 3b: one trial from inside, and when the runs end."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from hdbwk.plotting.style import FAMILIES, WIDTH, look, save

MEASURES = {"remaining": "capacity left", "price": r"price $\lambda_i$"}


def curves(trials: pd.DataFrame, budgets: pd.DataFrame, spec: Any) -> pd.DataFrame:
    """The data of the figure: capacities and prices of one trial, and the stopping times of all."""
    shown = budgets[(budgets["t"] % spec.read_every == 0) | (budgets["t"] == 1)]
    inside = shown.melt(["method", "resource", "t"], list(MEASURES), var_name="measure")
    ends = trials[(trials["horizon"] == spec.horizon) & (trials["t"] == spec.horizon)]
    stops = ends[["method", "trial", "stopping_time"]].rename(columns={"stopping_time": "value"})
    return pd.concat([inside.dropna(), stops.assign(measure="stopping_time")], ignore_index=True)


def draw(data: pd.DataFrame, spec: Any, paths: Sequence[str | Path]) -> None:
    """A column for each method (capacities above, prices below), the stopping times at the bottom."""
    with look():
        figure = plt.figure(figsize=(WIDTH, 6.0), layout="constrained")
        panels: Any = figure.subfigures(2, 1, height_ratios=[1.5, 1])
        _inside(panels[0], data, spec)
        stops = data[data["measure"] == "stopping_time"]
        _stopping_times(panels[1].subplots(), stops, spec.methods, spec.horizon)
        save(figure, paths)


def _inside(figure: SubFigure, data: pd.DataFrame, spec: Any) -> None:
    """Capacities and prices of one trial."""
    methods = spec.methods
    axes = figure.subplots(2, len(methods), sharex=True, sharey="row", squeeze=False)
    for column, (method, params) in enumerate(methods.items()):
        axes[0, column].set_title(params.label(method).replace(" (", "\n(").replace(", ", "\n"), fontsize=6)
        for row, measure in enumerate(MEASURES):
            rows = data[(data["measure"] == measure) & (data["method"] == method)]
            _resources(axes[row, column], rows, FAMILIES[params.family], spec.horizon)
    for row, name in enumerate(MEASURES.values()):
        axes[row, 0].set_ylabel(name)
    figure.supxlabel("round $t$ of one trial, a line for each resource", fontsize=7)


def _resources(ax: Axes, rows: pd.DataFrame, colour: str, horizon: int) -> None:
    """One thin line for each resource."""
    for _, line in rows.groupby("resource"):
        ax.plot(line["t"], line["value"], color=colour, linewidth=0.7, alpha=0.7)
    ax.set_xlim(0, horizon)
    ax.set_xticks([0, horizon])
    ax.tick_params(labelsize=6)


def _stopping_times(ax: Axes, stops: pd.DataFrame, methods: Mapping[str, Any], horizon: int) -> None:
    """All trials as dots, with the share of them that reached T."""
    rows = list(methods.items())[::-1]
    for place, (method, params) in enumerate(rows):
        values = stops[stops["method"] == method].sort_values("trial")["value"].to_numpy(dtype=float)
        heights = place + np.linspace(-0.3, 0.3, len(values))
        ax.plot(values, heights, "o", color=FAMILIES[params.family], markersize=2.5, alpha=0.6, mew=0, clip_on=False)
        ax.text(1.015 * horizon, place, f"{(values == horizon).mean():.0%} reach $T$", fontsize=6.5, va="center")
    ax.set_yticks(range(len(rows)), [params.label(method) for method, params in rows], fontsize=6.5)
    ax.set(xlabel="stopping time", xlim=(None, horizon), title="When the runs end, all trials")
