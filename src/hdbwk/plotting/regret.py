"""What Figures 2 and 3 share: regret over rounds, and over horizons with the exponent of its growth."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, ScalarFormatter

from hdbwk.core.seeds import rng
from hdbwk.metrics.summary import bands, growth_exponent
from hdbwk.plotting.bands import Styles, draw_bands, handles
from hdbwk.plotting.style import GREY, WIDTH, caption, line_styles, look, save

FACETS = {
    "greedy": r"greedy, $\epsilon = 0$",
    "online_ht": r"$\epsilon$-greedy",
    "true_propensity": r"$\epsilon$-greedy, true $p$",
    "lasso": "LASSO and uniform",
    "control": "LASSO and uniform",
    "resolving": "resolving",
    "resolving_skip": "resolving",
    "lincbwk": "linCBwK",
}
LEGEND: Any = {"fontsize": 5.6, "handlelength": 2.0, "labelspacing": 0.35, "borderaxespad": 0.0}
NOTE: Any = {"fontsize": 6.2, "color": GREY}


def curves(trials: pd.DataFrame, spec: Any) -> pd.DataFrame:
    """The data of the figure: regret along the shown horizon, regret at each horizon, exponents over horizons."""
    along = bands(trials[trials["horizon"] == spec.horizon], "regret", ["method", "t"])
    ends = trials[trials["t"] == trials["horizon"]]
    final = bands(ends, "regret", ["method", "t"])
    played = {str(method): _played(rows) for method, rows in ends.groupby("method")}
    exponents = pd.DataFrame([_exponent(method, values) for method, values in played.items() if _grows(values)])
    parts = [along.assign(panel="rounds"), final.assign(panel="horizons"), exponents.assign(panel="exponent")]
    data = pd.concat([part for part in parts if len(part)], ignore_index=True)
    columns = ["panel", "method", "t", "mean", "low", "high", "trials"]
    if "unconverged" in ends:
        data = data.merge(ends.groupby("method")["unconverged"].sum().rename("unconverged_solves"), on="method")
        columns.append("unconverged_solves")
    return data.reindex(columns=columns)


def _played(ends: pd.DataFrame) -> pd.DataFrame:
    """The regret of the trials that played all horizons, a column for each."""
    return ends.pivot_table(index="trial", columns="horizon", values="regret").dropna()


def _grows(values: pd.DataFrame) -> bool:
    """Whether there are several horizons, with a positive mean regret at each."""
    return values.shape[1] > 1 and bool((values.mean() > 0).all())


def _exponent(method: str, values: pd.DataFrame) -> dict[str, Any]:
    """The exponent of the mean final regret in T; the bootstrap has a seed of its own."""
    estimate, low, high = growth_exponent(values, rng(0, "exponent", method))
    return {"method": method, "mean": estimate, "low": low, "high": high, "trials": len(values)}


def draw(data: pd.DataFrame, spec: Any, paths: Sequence[str | Path]) -> None:
    """A column for each kind of method, regret over rounds above and over horizons below; the others are grey."""
    methods = {method: params for method, params in spec.methods.items() if params.name != "oracle"}
    families = {method: params.family for method, params in methods.items()}
    styles = line_styles(families)
    panels = {str(panel): rows[rows["method"].isin(methods)] for panel, rows in data.groupby("panel")}
    growth = _growth(panels.get("exponent", data.iloc[:0]))
    labels = {m: f"{params.label(m)}\n{growth.get(m, 'no exponent')}" for m, params in methods.items()}
    facets = facets_of(families)
    with look():
        height = 3.6 + 0.27 * max(map(len, facets.values()))
        figure, axes = plt.subplots(
            2, len(facets), figsize=(WIDTH, height), sharex="row", sharey="row", layout="constrained", squeeze=False
        )
        for (left, right), (title, own) in zip(axes.T, facets.items(), strict=True):
            for ax, panel in ((left, panels["rounds"]), (right, panels["horizons"])):
                _facet(ax, panel, styles, own)
            left.set_title(title, fontsize=7)
            lines = handles(panels["rounds"][panels["rounds"]["method"].isin(own)], styles, labels)
            right.legend(handles=list(lines.values()), loc="upper center", bbox_to_anchor=(0.5, -0.48), **LEGEND)
        _axes(axes, spec, min(panels["rounds"]["mean"].min(), 0))
        note = r"$T^{\alpha}$: exponent fitted over the horizons (95% bootstrap interval); grey: the other columns"
        figure.supxlabel("\n".join(filter(None, [caption(data, spec), _fewer(panels["horizons"]), note])), **NOTE)
        save(figure, paths)


def facets_of(families: Mapping[str, str]) -> dict[str, list[str]]:
    """The methods of each column, by its title."""
    weighted = "true_propensity" in families.values()
    facets: dict[str, list[str]] = {}
    for method, family in families.items():
        title = "$\\epsilon$-greedy, printed $p$" if weighted and family == "online_ht" else FACETS.get(family, family)
        facets.setdefault(title, []).append(method)
    return facets


def _facet(ax: Axes, rows: pd.DataFrame, styles: Styles, own: Sequence[str]) -> None:
    """The methods of a column, and those of the others in the background."""
    for _, other in rows[~rows["method"].isin(own)].groupby("method"):
        ax.plot(other["t"], other["mean"], color="0.85", linewidth=0.7, zorder=0)
    draw_bands(ax, rows[rows["method"].isin(own)], {method: styles[method] for method in own})


def _axes(axes: Any, spec: Any, least: float) -> None:
    """Limits, ticks and names of the axes."""
    horizons = spec.all_horizons()
    for ax in axes[0]:
        ax.set(xlabel="round $t$", ylabel=f"regret, $T = {spec.horizon}$", xlim=(0, spec.horizon), ylim=(least, None))
    for ax in axes[1]:
        shown = horizons[:: -2 if len(horizons) > 4 else -1]
        ax.set(xlabel="horizon $T$", ylabel="regret at $T$", xscale="log", yscale="log")
        ax.set_xticks(shown, [str(horizon) for horizon in shown], rotation=40, ha="right")
        ax.minorticks_off()
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.yaxis.set_major_formatter(ScalarFormatter())
    for ax in axes.flat:
        ax.tick_params(labelsize=6)
        ax.xaxis.get_label().set_size(7)
        ax.yaxis.get_label().set_size(7)
        ax.yaxis.get_label().set_visible(ax in axes[:, 0])


def _fewer(horizons: pd.DataFrame) -> str:
    """Which horizons fewer trials have played."""
    trials = horizons.groupby("t")["trials"].min()
    few = trials[trials < trials.max()]
    return f"{few.min()} trials at $T > {int(max(trials.index.difference(few.index)))}$" if len(few) else ""


def _growth(exponents: pd.DataFrame) -> dict[str, str]:
    """The exponents of the methods for legends."""
    rows = exponents.set_index("method")[["mean", "low", "high"]].T.items()
    return {str(method): "$T^{{\\,{:.2f}}}$ ({:.2f}, {:.2f})".format(*row) for method, row in rows}
