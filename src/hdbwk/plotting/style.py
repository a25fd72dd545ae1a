"""One look for all pictures: colour-blind-safe families, shades and dashes for levels inside a family."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hdbwk.pipeline.tables import atomic

WIDTH = 7.0  # inches
BAND_OPACITY = 0.18
FAMILIES = {  # Okabe and Ito's palette
    "online_ht": "#0072B2",
    "greedy": "#009E73",
    "lasso": "#CC79A7",
    "resolving": "#D55E00",
    "resolving_skip": "#E69F00",
    "lincbwk": "#444444",
    "control": "#888888",
}
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (6, 1, 1, 1, 1, 1)))
LOOK: Any = {
    "figure.dpi": 150,
    "savefig.dpi": 200,
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "legend.handlelength": 2.8,
    "pdf.fonttype": 42,
    "svg.hashsalt": "hdbwk",
}


@contextmanager
def look() -> Iterator[None]:
    """Matplotlib with the settings of this project."""
    with plt.rc_context(LOOK):
        yield


def line_styles(families: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """
    A colour and a dash for each method.

    Parameters
    ----------
    families : mapping
        Method to family, in the order of their levels; the first of a family is the lightest.
    """
    members: dict[str, list[str]] = {}
    for method, family in families.items():
        members.setdefault(family, []).append(method)
    styles = {}
    for family, methods in members.items():
        for i, method in enumerate(methods):
            darkness = (i + 1) / len(methods)
            styles[method] = {
                "color": _shade(FAMILIES[family], darkness),
                "linestyle": DASHES[i % len(DASHES)],
            }
    return styles


def _shade(colour: str, darkness: float) -> tuple[float, ...]:
    """The colour mixed with white at low darkness and with black at the highest."""
    mix = 0.45 + 0.55 * min(darkness * 1.35, 1)
    dim = 1 - 0.45 * max(darkness - 0.74, 0) / 0.26
    return tuple((1 - (1 - channel) * mix) * dim for channel in to_rgb(colour))


def band(ax: Axes, x: Any, rows: Any, style: Mapping[str, Any], label: str) -> None:
    """A mean with its band."""
    ax.plot(x, rows["mean"], label=label, **style)
    ax.fill_between(x, rows["low"], rows["high"], color=style["color"], alpha=BAND_OPACITY, linewidth=0)


def family_legend(figure: Figure, ax: Axes, families: Mapping[str, str], title: str, columns: int = 3) -> None:
    """A legend below the panels: a column for each family, its curves in the order in which they end."""
    members: dict[str, list[Any]] = {}
    for line, family in zip(ax.get_lines(), families.values(), strict=True):
        members.setdefault(family, []).append(line)
    stacks = [sorted(lines, key=lambda line: -line.get_ydata()[-1]) for lines in members.values()]
    while len(stacks) > columns:  # a small family joins the shortest column
        last = stacks.pop()
        min(stacks, key=len).extend(last)
    height = max(map(len, stacks))
    blank = Line2D([], [], alpha=0, label=" ")
    figure.legend(
        handles=[line for stack in stacks for line in [*stack, *[blank] * (height - len(stack))]],
        loc="outside lower center",
        ncols=len(stacks),
        columnspacing=1.2,
        fontsize=6.5,
        handlelength=2.4,
        title=title,
        title_fontsize=6.2,
    ).get_title().set_color("0.35")


def caption(data: Any, spec: Any, *more: str) -> str:
    """Sizes, what the shading means, how many LASSO solves did not converge where there are any solves."""
    parts = [
        f"$d = {spec.dim}$, $s_0 = {spec.sparsity}$, $\\sigma = {spec.noise:g}$, {spec.trials} trials",
        "shaded: mean $\\pm$ 1.96 standard errors",
    ]
    if "unconverged_solves" in data:
        unconverged = int(data.groupby("method")["unconverged_solves"].first().sum())
        parts.append(f"LASSO solves that did not converge: {unconverged}")
    return "; ".join([*parts, *more])


def save(figure: Figure, paths: Sequence[str | Path]) -> None:
    """Write a figure in every format asked for, with no date in it, so that equal data give equal files."""
    for path in paths:
        with atomic(path) as temporary:
            metadata = {"CreationDate": None} if Path(path).suffix == ".pdf" else None
            figure.savefig(temporary, bbox_inches="tight", metadata=metadata)
    plt.close(figure)
