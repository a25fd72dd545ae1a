"""Figure 6: the regret of every method as the terms of the proofs, over horizons."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from hdbwk.experiments.cbwk.spec import CBwK
from hdbwk.metrics.decomposition import TERMS
from hdbwk.metrics.summary import bands
from hdbwk.plotting.style import WIDTH, look, save

COLUMNS = 5
COLOURS = dict(zip(TERMS, ("#999999", "#56B4E9", "#0072B2", "#009E73", "#E69F00", "#D55E00"), strict=True))
NAMES = {
    "benchmark": "luck of the contexts",
    "prices": "wrong arm, prices",
    "estimates": "wrong arm, estimates",
    "consumption": "capacity left unused",
}


def curves(trials: pd.DataFrame, spec: CBwK) -> pd.DataFrame:
    """The data of the figure: each term at the end of each horizon, with its band and its share of the regret."""
    ends = trials[trials["t"] == trials["horizon"]]
    rows = ends.melt(["method", "trial", "horizon"], list(TERMS), var_name="term")
    data = bands(rows, "value", ["method", "horizon", "term"])
    regret = ends.groupby(["method", "horizon"], observed=True)["regret"].mean().rename("regret")
    data = data.merge(regret, on=["method", "horizon"])
    return data.assign(share=data["mean"] / data["regret"])


def draw(data: pd.DataFrame, spec: CBwK, paths: Sequence[str | Path]) -> None:
    """A panel for each method: its terms as stacked bars, gains below zero, the regret as a line."""
    rows = -(-len(spec.methods) // COLUMNS)
    with look():
        figure, axes = plt.subplots(
            rows, COLUMNS, figsize=(WIDTH, 0.6 + 1.8 * rows), layout="constrained", squeeze=False
        )
        for ax, (method, params) in zip(axes.flat, spec.methods.items(), strict=False):
            _stack(ax, data[data["method"] == method])
            ax.set_title(params.label(method), fontsize=6.5)
        for ax in axes.flat[len(spec.methods) :]:
            ax.remove()
        patches = [Patch(color=COLOURS[term], label=NAMES.get(term, term)) for term in TERMS]
        line = Line2D([], [], color="black", marker=".", linewidth=0.8, label="regret")
        figure.legend(handles=[*patches, line], loc="outside lower center", ncols=4)
        figure.supylabel("regret at $T$", fontsize=8)
        save(figure, paths)


def _stack(ax: Axes, rows: pd.DataFrame) -> None:
    """Bars of one method, a bar for each horizon."""
    table = rows.pivot_table(index="horizon", columns="term", values="mean")[list(TERMS)]
    places = np.arange(len(table))
    for sign in (1, -1):
        base = np.zeros(len(table))
        for term in TERMS:
            height = np.maximum(sign * table[term].to_numpy(), 0.0)
            ax.bar(places, sign * height, 0.8, bottom=sign * base, color=COLOURS[term])
            base = base + height
    ax.plot(places, table.sum(axis=1), ".-", color="black", linewidth=0.8, markersize=4)
    ax.axhline(0, color="black", linewidth=0.5)
    ax.set_xticks(places, [f"{horizon:g}" for horizon in table.index], fontsize=5.5, rotation=60)
    ax.tick_params(labelsize=6)
    ax.set_xlabel("$T$", fontsize=6, labelpad=1)
    ax.use_sticky_edges = False
    ax.autoscale_view()
