"""The picture of the front page, from the tables of the figures: `python -m hdbwk.reporting.front`."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from hdbwk.plotting.style import FAMILIES, WIDTH, look, save

CURVES = {  # method: family, label
    "lincbwk": ("lincbwk", "linCBwK"),
    "lincbwk_tuned": ("control", "linCBwK, tuned"),
    "primal_dual_s10": ("online_ht", "Algorithm 2"),
    "resolving_s10": ("resolving", "Algorithm 4"),
    "resolving_skip_s10": ("resolving_skip", "Algorithm 4 (skip)"),
}
FIELD = "fig8_field_knapsack"


def draw(figures: Path) -> None:
    """Figure 3 in five curves; beside it the field with knapsacks, if this run has it."""
    field = figures / f"{FIELD}.csv"
    with look():
        figure, axes = plt.subplots(
            1, 2 if field.exists() else 1, figsize=(WIDTH, 2.7), layout="constrained", squeeze=False
        )
        _regret(axes[0, 0], pd.read_csv(figures / "fig3_cbwk.csv"))
        if field.exists():
            _field(axes[0, 1], pd.read_csv(field))
        save(figure, [figures / "front.png"])


def _regret(ax: Axes, table: pd.DataFrame) -> None:
    rounds = table[table["panel"] == "rounds"]
    for method, (family, _) in CURVES.items():
        curve = rounds[rounds["method"] == method]
        ax.plot(curve["t"], curve["mean"], color=FAMILIES[family])
        ax.fill_between(curve["t"], curve["low"], curve["high"], color=FAMILIES[family], alpha=0.18, linewidth=0)
    ends = rounds[rounds["t"] == rounds["t"].max()].set_index("method")["mean"]
    heights = _apart([ends[method] for method in CURVES], ends.max() / 16)
    for (family, label), height in zip(CURVES.values(), heights, strict=True):
        ax.annotate(
            label, (rounds["t"].max(), height), (4, 0), textcoords="offset points", va="center", color=FAMILIES[family]
        )
    ax.set(title="Knapsacks: regret of the paper's methods", xlabel="round $t$", ylabel="regret")


def _apart(heights: list[float], least: float) -> list[float]:
    """Heights of labels, moved up where they would touch."""
    moved, last = dict[int, float](), float("-inf")
    for place in sorted(range(len(heights)), key=heights.__getitem__):
        last = moved[place] = max(heights[place], last + least)
    return [moved[place] for place in range(len(heights))]


def _field(ax: Axes, table: pd.DataFrame) -> None:
    rounds = table[(table["panel"] == "rounds") & (table["instance"] == table["instance"].iloc[0])]
    ends = rounds[rounds["t"] == rounds["t"].max()].sort_values("mean", ascending=False)
    names = ends["method"].str.replace("_", " ")
    ax.barh(names, ends["mean"], xerr=ends["high"] - ends["mean"], color=FAMILIES["online_ht"], alpha=0.6)
    ax.set(title="The field, same instances", xlabel="final regret")


if __name__ == "__main__":
    draw(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
