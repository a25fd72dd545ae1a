"""One look for all pictures: colour-blind-safe families, shades and dashes for levels inside a family."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypedDict

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from hdbwk.core.files import atomic

WIDTH = 7.0  # inches
BAND_OPACITY = 0.18
GREY = "0.35"
PLAIN = 0.74  # the darkness that leaves a colour as it is
FAMILIES = {  # Okabe and Ito's palette
    "online_ht": "#0072B2",
    "true_propensity": "#56B4E9",
    "greedy": "#009E73",
    "lasso": "#CC79A7",
    "resolving": "#D55E00",
    "resolving_skip": "#E69F00",
    "lincbwk": "#444444",
    "control": "#888888",
}
Dash = Literal["-"] | tuple[float, tuple[float, ...]]
DASHES: tuple[Dash, ...] = ("-", (0, (5, 1.5)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (6, 1, 1, 1, 1, 1)))
LOOK: Any = {
    **sns.axes_style("ticks"),
    **sns.plotting_context("paper", font_scale=0.9),
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: equal pictures on all machines
    "figure.dpi": 150,
    "savefig.dpi": 200,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.4,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
    "legend.handlelength": 2.8,
    "pdf.fonttype": 42,
    "svg.hashsalt": "hdbwk",
}


@contextmanager
def look() -> Iterator[None]:
    """Matplotlib with the settings of this project."""
    with plt.rc_context(LOOK):
        yield


class LineStyle(TypedDict):
    """How the line of a method is drawn, as matplotlib names it."""

    color: tuple[float, float, float]
    linestyle: Dash


def line_styles(families: Mapping[str, str]) -> dict[str, LineStyle]:
    """
    A colour and a dash for each method.

    Parameters
    ----------
    families : mapping
        Method to family, in the order of their levels; the first of a family is the lightest.
    """
    styles: dict[str, LineStyle] = {}
    for method, family in families.items():
        members = [other for other in families if families[other] == family]
        level = members.index(method)
        styles[method] = {
            "color": _shade(colour_of(family), (level + 1) / len(members) if len(members) > 1 else PLAIN),
            "linestyle": DASHES[level % len(DASHES)],
        }
    return styles


def colour_of(family: str) -> str:
    """The colour of a family; a family that has none of its own is drawn as a control."""
    return FAMILIES.get(family, FAMILIES["control"])


def _shade(colour: str, darkness: float) -> tuple[float, float, float]:
    """The colour mixed with white at low darkness and with black at the highest."""
    mix = 0.45 + 0.55 * min(darkness * 1.35, 1)
    dim = 1 - 0.45 * max(darkness - PLAIN, 0) / (1 - PLAIN)
    red, green, blue = ((1 - (1 - channel) * mix) * dim for channel in to_rgb(colour))
    return red, green, blue


def caption(data: pd.DataFrame, spec: Any) -> str:
    """Sizes, what the shading means, how many LASSO solves did not converge where there are any solves."""
    parts = [
        f"$d = {spec.dim}$, $s_0 = {spec.sparsity}$, $\\sigma = {spec.noise:g}$, {spec.trials} trials",
        "shaded: mean $\\pm$ 1.96 standard errors",
    ]
    if "unconverged_solves" in data:
        unconverged = int(data.groupby("method")["unconverged_solves"].first().sum())
        parts.append(f"LASSO solves that did not converge: {unconverged}")
    return "; ".join(parts)


def save(figure: Figure, paths: Sequence[str | Path]) -> None:
    """Write a figure in every format asked for, with no date in it, so that equal data give equal files."""
    for path in paths:
        with atomic(path) as temporary:
            metadata = {"CreationDate": None} if Path(path).suffix == ".pdf" else None
            figure.savefig(temporary, bbox_inches="tight", metadata=metadata)
    plt.close(figure)
