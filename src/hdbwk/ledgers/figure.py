"""Figure 4: the rates ledger as small panels."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from hdbwk.ledgers.rule import ABOVE, CONSISTENT, EXCEEDS, NO_POWER
from hdbwk.plotting.style import look, save

COLUMNS = 6
PANEL = {"height": 1.6, "aspect": 1.05}
COLOURS = {CONSISTENT: "#009E73", NO_POWER: "#E69F00", EXCEEDS: "#D55E00", ABOVE: "#CC3311"}
COLOURS |= {"control (must fail)": "#888888"}
BOUND: Any = {"color": "black", "linewidth": 0.8, "linestyle": (0, (3, 2))}


def draw(points: pd.DataFrame, ledger: pd.DataFrame, paths: Sequence[str | Path]) -> None:
    """
    One panel for each rate.

    Parameters
    ----------
    points : DataFrame
        From `hdbwk.ledgers.rates.points`.
    ledger : DataFrame
        From `hdbwk.ledgers.rates.judge`.
    paths : sequence of paths
        Where to write, one for each format.
    """
    with look(), plt.rc_context({"axes.labelsize": 6, "axes.titlesize": 5.8, "axes.linewidth": 0.8}):
        grid = sns.FacetGrid(points, col="row", col_wrap=COLUMNS, sharex=False, sharey=False, **PANEL)
        grid.figure.set_layout_engine("constrained")
        for i, ax in enumerate(grid.axes.flat):
            _panel(ax, points[points["row"] == i], ledger.iloc[i])
        lines = [Line2D([], [], color=colour, marker="o", label=word) for word, colour in COLOURS.items()]
        bound = Line2D([], [], **BOUND, label="growth of the bound, or the bound")
        grid.figure.legend(handles=[*lines, bound], loc="outside lower center", ncols=6)
        save(grid.figure, paths)


def _panel(ax: Axes, points: pd.DataFrame, row: pd.Series) -> None:
    """Means with bands, and the bound: through the middle of the data where growth is judged."""
    colour = COLOURS["control (must fail)" if row["control"] else row["verdict"]]
    sizes, means, bound = (points[name].to_numpy(dtype=float) for name in ("size", "mean", "bound"))
    errors = np.abs(points[["low", "high"]].to_numpy().T - means)
    ax.errorbar(sizes, means, yerr=errors, fmt="o-", markersize=2.5, linewidth=0.8, color=colour, elinewidth=0.8)
    ax.set_xscale("log")
    grows = row["measures"] == "growth" and bool((means > 0).all())
    if grows:
        bound = bound * np.exp(np.mean(np.log(means / bound)))
        ax.set_yscale("log")
    ax.plot(sizes, bound, **BOUND)
    _ticks(ax, sizes, grows)
    name, form = (f"last exponent in {row['axis']}", ".2f") if grows else (f"{row['axis']}; value", ".2g")
    ax.set_xlabel(f"{name}:\n{row['estimate']:{form}} (bound {row['allowed']:{form}})", color=colour, labelpad=2)
    ax.set_title("\n".join([row["result"], *textwrap.wrap(row["measured"], 32)]))


def _ticks(ax: Axes, sizes: np.ndarray, log: bool) -> None:
    """The first, middle and last size by name; at least two values."""
    shown = sizes[[0, len(sizes) // 2, -1]] if len(sizes) > 3 else sizes
    ax.set_xticks(shown, [f"{size:g}" if size == round(size) else f"{size:.2g}" for size in shown])
    if log:
        low, high = ax.get_ylim()
        ax.yaxis.set_major_locator(LogLocator(numticks=4) if high > 100 * low else LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_major_formatter("{x:g}")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_minor_locator(NullLocator())
    ax.tick_params(labelsize=5.5, length=2)
