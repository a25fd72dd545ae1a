"""Figure 4: the rates ledger as small panels."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from hdbwk.ledgers.verdicts import FAILED, INCONCLUSIVE, REPRODUCED
from hdbwk.plotting.style import WIDTH, look, save

COLUMNS = 6
COLOURS = {REPRODUCED: "#009E73", INCONCLUSIVE: "#E69F00", FAILED: "#D55E00"}
CONTROL = "#888888"


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
    height = -(-len(ledger) // COLUMNS)
    with look(), plt.rc_context({"font.size": 6, "axes.titlesize": 6, "axes.labelsize": 6}):
        figure, axes = plt.subplots(height, COLUMNS, figsize=(WIDTH + 3, 1.6 * height), layout="constrained")
        panels = axes.ravel()
        for i, ax in enumerate(panels[: len(ledger)]):
            _panel(ax, points[points["row"] == i], ledger.iloc[i])
        for ax in panels[len(ledger) :]:
            ax.axis("off")
        figure.legend(handles=_legend(), loc="outside lower center", ncols=6, fontsize=6.5)
        save(figure, paths)


def _panel(ax: Axes, points: pd.DataFrame, row: pd.Series) -> None:
    """Means with bands; fit and bound through the middle of the data where an exponent was fitted."""
    colour = CONTROL if row["control"] else COLOURS[row["verdict"]]
    sizes, means = points["size"].to_numpy(dtype=float), points["mean"].to_numpy()
    errors = np.abs(points[["low", "high"]].to_numpy().T - means)
    ax.errorbar(sizes, means, yerr=errors, fmt="o", markersize=2.5, color=colour, elinewidth=0.8)
    fitted = row["local"] != "-"
    if fitted:
        ax.set(xscale="log", yscale="log")
        grid = np.geomspace(sizes[0], sizes[-1], 50)
        x = np.log(grid) if row["axis"].startswith("log ") else grid
        centre = np.exp(np.log(np.log(sizes) if row["axis"].startswith("log ") else sizes).mean())
        level = np.exp(np.log(means).mean())
        ax.plot(grid, level * (x / centre) ** row["estimate"], color=colour, linewidth=1)
        ax.plot(grid, level * (x / centre) ** row["bound"], color="black", linewidth=0.8, linestyle=(0, (3, 2)))
        ax.yaxis.set_major_locator(LogLocator(numticks=4))
    else:
        ax.axhline(row["limit"], color="black", linewidth=0.8, linestyle=(0, (3, 2)))
        ax.set_xscale("log")
    _ticks(ax, sizes)
    _titles(ax, row, colour, fitted)


def _ticks(ax: Axes, sizes: np.ndarray) -> None:
    """The first, middle and last size by name."""
    shown = sizes[[0, len(sizes) // 2, -1]] if len(sizes) > 3 else sizes
    ax.set_xticks(shown, [f"{size:g}" for size in shown])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.tick_params(labelsize=5.5, length=2)
    ax.tick_params(which="minor", length=0)


def _titles(ax: Axes, row: pd.Series, colour: str, fitted: bool) -> None:
    """What was measured, and the exponent against its bound."""
    ax.set_title(f"{row['result']}\n{_wrapped(row['measured'])}", fontsize=5.3, color="0.2")
    ax.set_xlabel(row["axis"].removeprefix("log "), labelpad=1)
    name, form = (f"exponent in {row['axis']}", ".2f") if fitted else ("value", ".2g")
    text = f"{name}: {row['estimate']:{form}} (limit {row['limit']:{form}})"
    ax.text(0.5, 0.02, text, transform=ax.transAxes, ha="center", va="bottom", fontsize=5, color=colour)
    ax.margins(y=0.28)


def _wrapped(text: str, width: int = 34) -> str:
    """At most two lines, broken at a space."""
    if len(text) <= width:
        return text
    cut = text.rfind(" ", 0, width)
    return f"{text[:cut]}\n{text[cut + 1 :]}"


def _legend() -> list[Any]:
    """Colours and lines."""
    verdicts = [Line2D([], [], color=colour, marker="o", label=word) for word, colour in COLOURS.items()]
    control = Line2D([], [], color=CONTROL, marker="o", label="control (must fail)")
    bound = Line2D(
        [], [], color="black", linestyle=(0, (3, 2)), linewidth=0.8, label="slope of the bound, or the limit"
    )
    return [*verdicts, control, bound]
