"""Figure 1: sparse recovery."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from hdbwk.experiments.recovery.spec import Recovery
from hdbwk.metrics.summary import bands
from hdbwk.plotting.bands import draw_bands, handles
from hdbwk.plotting.style import GREY, WIDTH, caption, line_styles, look, save


def curves(trials: pd.DataFrame, spec: Recovery) -> pd.DataFrame:
    """The data of the figure: mean and band of both measures for each method and round."""
    parts = [bands(trials, measure, ["method", "t"]).assign(measure=measure) for measure in spec.panels]
    unconverged = trials.groupby("method")["unconverged"].sum().rename("unconverged_solves")
    return pd.concat(parts).merge(unconverged, on="method")[
        ["measure", "method", "t", "mean", "low", "high", "trials", "unconverged_solves"]
    ]


def draw(data: pd.DataFrame, spec: Recovery, paths: Sequence[str | Path]) -> None:
    """Draw Figure 1 from its data."""
    styles = line_styles({method: params.family for method, params in spec.methods.items()})
    labels = {method: params.label(method) for method, params in spec.methods.items()}
    error = data[data["measure"] == "error"]
    positive = error.assign(low=error["low"].clip(lower=error["mean"] / 10))  # on a log axis no band reaches 0
    with look():
        figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.7), layout="constrained")
        draw_bands(axes[0], positive, styles)
        draw_bands(axes[1], data[data["measure"] == "support"], styles)
        for ax, (title, name) in zip(axes, spec.panels.values(), strict=True):
            ax.set(title=title, xlabel="round $t$", ylabel=name, xlim=(0, spec.horizon))
        axes[0].set_yscale("log")
        axes[1].set_ylim(0, 1.03)
        figure.legend(handles=list(handles(error, styles, labels).values()), loc="outside right center")
        figure.supxlabel(caption(data, spec), fontsize=6.2, color=GREY)
        save(figure, paths)
