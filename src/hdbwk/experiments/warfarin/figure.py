"""Figure 9: shares of right doses along the patients, without and with scarce supplies."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from hdbwk.experiments.warfarin.names import family_of, name_of
from hdbwk.experiments.warfarin.spec import Warfarin
from hdbwk.experiments.warfarin.trial import UNLIMITED
from hdbwk.metrics.summary import bands
from hdbwk.plotting.bands import Styles, draw_bands, family_legend, handles
from hdbwk.plotting.style import GREY, WIDTH, line_styles, look, save

KNOWN = ["fixed_shares", "optimum"]


def curves(trials: pd.DataFrame, spec: Warfarin) -> pd.DataFrame:
    """The data of the figure: the share so far, with its band, beside what can be had in hindsight."""
    place = ["scarcity", "method"]
    data = bands(trials, "right", [*place, "t"])
    known = trials.groupby(place, observed=True)[KNOWN].mean().reset_index()
    return data.merge(known, on=place)


def draw(data: pd.DataFrame, spec: Warfarin, paths: Sequence[str | Path]) -> None:
    """A panel for each scarcity."""
    families = {method: family_of(params) for method, params in spec.methods.items()}
    styles = line_styles(families)
    labels = {method: name_of(method, params) for method, params in spec.methods.items()}
    panels = {UNLIMITED: "no limits", **{name: _title(name, spec) for name in spec.scarcities}}
    with look(), plt.rc_context({"axes.titlesize": 7.5, "axes.labelsize": 7.5, "lines.linewidth": 1.2}):
        figure, axes = plt.subplots(1, len(panels), figsize=(WIDTH, 3.8), layout="constrained")
        lines = {}
        for ax, (scarcity, title) in zip(axes, panels.items(), strict=True):
            rows = data[data["scarcity"] == scarcity]
            _panel(ax, rows, styles, spec, scarcity == UNLIMITED)
            ax.set_title(title)
            lines |= handles(rows, styles, labels)
        axes[0].set_ylabel("share of patients so far with the right dose")
        note = f"{spec.trials} random orders of {spec.horizon} patients; shaded: mean $\\pm$ 1.96 standard errors"
        family_legend(figure, lines, families, note, columns=3)
        save(figure, paths)


def _panel(ax: Axes, rows: pd.DataFrame, styles: Styles, spec: Warfarin, unlimited: bool) -> None:
    draw_bands(ax, rows, styles)
    shown = rows[rows["t"] >= spec.horizon // 20]
    limits = [shown["low"].min(), shown["high"].max()]
    note: Any = {"textcoords": "offset points", "ha": "right", "fontsize": 6, "color": GREY}
    if not unlimited:  # without limits the best fixed share is the clinic's dose, a method of its own
        limits.append(rows["fixed_shares"].mean())
        ax.axhline(limits[-1], color=GREY, linewidth=0.8, linestyle=":")
        ax.annotate("fixed shares in hindsight", (spec.horizon, limits[-1]), (0, 2), **note)
    margin = 0.1 * (max(limits) - min(limits))
    top = max(limits) + 2 * margin
    ax.set(xlim=(0, spec.horizon), ylim=(min(limits) - margin, top), xlabel="patients", ylabel="")
    best = f"who knows every patient: {rows['optimum'].mean():.3g} (above)"
    ax.annotate(best, (spec.horizon, top), (0, -6), **note)
    ax.tick_params(labelsize=6.5)


def _title(scarcity: str, spec: Warfarin) -> str:
    supplies = spec.scarcities[scarcity]
    return f"{scarcity}, for each patient: visits {supplies.visits:g},\nlow {supplies.low:g}, high {supplies.high:g}"
