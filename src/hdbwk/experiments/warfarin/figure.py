"""Figure 9: shares of right doses along the patients, without and with scarce supplies."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from hdbwk.experiments.warfarin.names import family_of, name_of
from hdbwk.experiments.warfarin.spec import Warfarin
from hdbwk.experiments.warfarin.trial import UNLIMITED
from hdbwk.metrics.summary import bands
from hdbwk.plotting.bands import Styles, draw_bands, family_legend, handles
from hdbwk.plotting.style import GREY, WIDTH, line_styles, look, save

LINES = {"optimum": "knows every patient", "fixed_shares": "fixed shares in hindsight"}


def curves(trials: pd.DataFrame, spec: Warfarin) -> pd.DataFrame:
    """The data of the figure: the share so far, with its band, beside what can be had in hindsight."""
    place = ["scarcity", "method"]
    data = bands(trials, "right", [*place, "t"])
    known = trials.groupby(place, observed=True)[list(LINES)].mean().reset_index()
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
    for name, text in LINES.items():
        if unlimited:  # the optimum is 1, and the best fixed share is the clinic's dose, a method of its own
            continue
        value = rows[name].mean()
        ax.axhline(value, color=GREY, linewidth=0.8, linestyle=":")
        ax.annotate(text, (spec.horizon, value), (0, 2), textcoords="offset points", ha="right", fontsize=6, color=GREY)
    shown = rows[rows["t"] >= spec.horizon // 20]
    limits = [shown["low"].min(), shown["high"].max(), *(() if unlimited else rows[list(LINES)].mean())]
    margin = 0.08 * (max(limits) - min(limits))
    ax.set(xlim=(0, spec.horizon), ylim=(min(limits) - margin, max(limits) + margin), xlabel="patients", ylabel="")
    ax.tick_params(labelsize=6.5)


def _title(scarcity: str, spec: Warfarin) -> str:
    supplies = spec.scarcities[scarcity]
    return f"{scarcity}: for each patient {supplies.visits:g} visits,\n{supplies.low:g} low, {supplies.high:g} high"
