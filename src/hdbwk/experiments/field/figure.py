"""Figures 7 and 8: a panel of regret for each law of instances, one over horizons, one against the time of a round."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, ScalarFormatter

from hdbwk.experiments.field.names import INSTANCES, family_of, name_of
from hdbwk.metrics.summary import bands
from hdbwk.plotting.bands import Styles, draw_bands, family_legend, handles
from hdbwk.plotting.style import WIDTH, line_styles, look, save

COLUMNS = 4


def curves(trials: pd.DataFrame, times: pd.DataFrame, spec: Any) -> pd.DataFrame:
    """The data of the figure: regret over rounds and over horizons, and seconds of a round."""
    labels = list(spec.instances)
    trials = trials.assign(instance=trials["size"].map(lambda place: labels[int(place)]))
    along = bands(trials[trials["horizon"] == spec.horizon], "regret", ["instance", "method", "t"])
    first = trials[(trials["size"] == 0) & (trials["t"] == trials["horizon"])]
    final = bands(first, "regret", ["instance", "method", "t"])
    cost = final[final["t"] == spec.horizon].merge(times, on="method")
    parts = [along.assign(panel="rounds"), final.assign(panel="horizons"), cost.assign(panel="time")]
    columns = ["panel", "instance", "method", "t", "mean", "low", "high", "trials", "seconds"]
    return pd.concat(parts, ignore_index=True).reindex(columns=columns)


def draw(data: pd.DataFrame, spec: Any, paths: Sequence[str | Path]) -> None:
    """Draw the panels, four in a row."""
    families = {method: family_of(params) for method, params in spec.methods.items()}
    styles, labels = line_styles(families), {method: name_of(method, params) for method, params in spec.methods.items()}
    rows = -(-(len(spec.instances) + 2) // COLUMNS)
    with look(), plt.rc_context({"axes.titlesize": 7.5, "axes.labelsize": 7, "lines.linewidth": 1.2}):
        figure, axes = plt.subplots(rows, COLUMNS, figsize=(WIDTH, 1.9 * rows + 1.1), layout="constrained")
        panels = list(axes.flat)
        for ax, instance in zip(panels, spec.instances, strict=False):
            _rounds(ax, data[(data["panel"] == "rounds") & (data["instance"] == instance)], styles, spec)
            ax.set_title(INSTANCES.get(instance, instance))
        over, against, *unused = panels[len(spec.instances) :]
        _horizons(over, data[data["panel"] == "horizons"], styles)
        _time(against, data[data["panel"] == "time"], styles, families)
        for ax in axes[:, 0]:
            ax.set_ylabel("regret")
        for ax in unused:
            ax.set_axis_off()
        shown = data[(data["panel"] == "rounds") & (data["instance"] == next(iter(spec.instances)))]
        note = (
            f"{spec.trials} trials; shaded: mean $\\pm$ 1.96 standard errors; entries in the order of the first panel"
        )
        family_legend(figure, handles(shown, styles, labels), families, note, columns=4)
        save(figure, paths)


def _rounds(ax: Axes, rows: pd.DataFrame, styles: Styles, spec: Any) -> None:
    draw_bands(ax, rows, styles)
    ax.set(xlabel="round $t$", ylabel="", xlim=(0, spec.horizon), ylim=(min(0, rows["low"].min()), None))
    ax.xaxis.set_major_locator(MaxNLocator(2))
    ax.tick_params(labelsize=6.5)


def _horizons(ax: Axes, rows: pd.DataFrame, styles: Styles) -> None:
    ax.set(xscale="log", yscale="log" if (rows["mean"] > 0).all() else "linear")
    draw_bands(ax, rows, styles)
    horizons = sorted(rows["t"].unique())
    ax.set(title="paper, over horizons", xlabel="horizon $T$", ylabel="", xticks=horizons)
    ax.set_xticklabels([f"{t / 1000:g}k" if t >= 1000 else str(t) for t in horizons])
    ax.minorticks_off()
    if ax.get_yscale() == "log":
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.yaxis.set_major_formatter(ScalarFormatter())
    ax.tick_params(labelsize=6.5)


def _time(ax: Axes, rows: pd.DataFrame, styles: Styles, families: Mapping[str, str]) -> None:
    """A dot for each method, a step through those that no other beats in both, controls left out."""
    for method, seconds, mean in zip(rows["method"], rows["seconds"], rows["mean"], strict=True):
        ax.plot(1e6 * seconds, mean, "o", color=styles[method]["color"], markersize=4, clip_on=False)
    best = frontier(rows[rows["method"].map(families) != "control"])
    ax.step(1e6 * best["seconds"], best["mean"], where="post", color="0.6", linewidth=0.8, linestyle=":", zorder=0)
    ax.set(xscale="log", title="paper, against time", xlabel="microseconds a round", ylabel="")
    ax.minorticks_off()
    narrow = rows["seconds"].max() < 20 * rows["seconds"].min()
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,)))
    ax.xaxis.set_major_formatter(ScalarFormatter())
    ax.set_ylim(min(0, rows["low"].min()), None)
    ax.tick_params(labelsize=6.5)


def frontier(rows: pd.DataFrame) -> pd.DataFrame:
    """The methods that no quicker one beats, the quickest first."""
    ordered = rows.sort_values("seconds", kind="stable")
    return ordered[ordered["mean"] < ordered["mean"].cummin().shift(fill_value=float("inf"))]
