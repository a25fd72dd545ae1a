"""Means over trials as lines with bands, and their legends."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hdbwk.plotting.style import BAND_OPACITY, GREY, LineStyle

Styles = Mapping[str, LineStyle]


def by_method(styles: Styles) -> dict[str, Any]:
    """What seaborn is told of the column ``method``: the styles from `line_styles`."""
    return {
        "hue": "method",
        "style": "method",
        "palette": {method: style["color"] for method, style in styles.items()},
        "dashes": {
            method: "" if style["linestyle"] == "-" else style["linestyle"][1] for method, style in styles.items()
        },
        "legend": False,
    }


def draw_bands(ax: Axes, rows: pd.DataFrame, styles: Styles) -> None:
    """
    A line with a band for each method.

    Parameters
    ----------
    ax : Axes
    rows : DataFrame
        Columns ``method``, ``t``, ``mean``, ``low``, ``high``.
    styles : mapping
        From `line_styles`.
    """
    # seaborn's interval spans what it is given for a point: the mean and the limits of its band
    limits = rows.melt(["method", "t"], ["low", "mean", "high"])
    shaded = {"errorbar": ("pi", 100), "err_kws": {"alpha": BAND_OPACITY, "linewidth": 0}}
    sns.lineplot(limits, x="t", y="value", estimator="median", **shaded, **by_method(styles), ax=ax)


def handles(rows: pd.DataFrame, styles: Styles, labels: Mapping[str, str]) -> dict[str, Line2D]:
    """The entries of a legend by method, in the order in which the curves of `rows` end."""
    last = rows[rows["t"] == rows["t"].max()].sort_values("mean", ascending=False, kind="stable")
    return {method: Line2D([], [], label=labels[method], **styles[method]) for method in last["method"]}


def family_legend(
    figure: Figure, lines: Mapping[str, Line2D], families: Mapping[str, str], title: str, columns: int = 3
) -> None:
    """A legend below the panels with a column for each family; of too many, the last join the shortest columns."""
    stacks = {family: [lines[m] for m in lines if families[m] == family] for family in families.values()}
    while len(stacks) > columns:
        _, last = stacks.popitem()
        min(stacks.values(), key=len).extend(last)
    height = max(map(len, stacks.values()))
    blank = Line2D([], [], alpha=0, label=" ")
    figure.legend(
        handles=[line for stack in stacks.values() for line in [*stack, *[blank] * (height - len(stack))]],
        loc="outside lower center",
        ncols=len(stacks),
        columnspacing=1.2,
        fontsize=6.5,
        handlelength=2.4,
        title=title,
        title_fontsize=6.2,
    ).get_title().set(color=GREY, multialignment="center")
