"""What Figures 2 and 3 share: regret over rounds, and over horizons with the exponent of its growth."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import LogLocator, ScalarFormatter

from hdbwk.core.seeds import rng
from hdbwk.metrics.summary import bands, growth_exponent
from hdbwk.plotting.bands import draw_bands, family_legend, handles
from hdbwk.plotting.style import WIDTH, caption, line_styles, look, save


def curves(trials: pd.DataFrame, spec: Any) -> pd.DataFrame:
    """The data of the figure: regret along the shown horizon, regret at each horizon, exponents over horizons."""
    along = bands(trials[trials["horizon"] == spec.horizon], "regret", ["method", "t"])
    ends = trials[trials["t"] == trials["horizon"]]
    final = bands(ends, "regret", ["method", "t"])
    exponents = pd.DataFrame(
        [_exponent(str(method), rows) for method, rows in ends.groupby("method") if _has_exponent(rows)]
    )
    parts = [along.assign(panel="rounds"), final.assign(panel="horizons"), exponents.assign(panel="exponent")]
    data = pd.concat([part for part in parts if len(part)], ignore_index=True)
    columns = ["panel", "method", "t", "mean", "low", "high", "trials"]
    if "unconverged" in ends:
        data = data.merge(ends.groupby("method")["unconverged"].sum().rename("unconverged_solves"), on="method")
        columns.append("unconverged_solves")
    return data.reindex(columns=columns)


def _has_exponent(ends: pd.DataFrame) -> bool:
    """Whether there are several horizons, with a positive mean regret at each."""
    means = ends.groupby("horizon")["regret"].mean()
    return len(means) > 1 and bool((means > 0).all())


def _exponent(method: str, ends: pd.DataFrame) -> dict[str, Any]:
    """The exponent of the mean final regret in T; the bootstrap has a seed of its own."""
    values = ends.pivot_table(index="trial", columns="horizon", values="regret")
    estimate, low, high = growth_exponent(values, rng(0, "exponent", method))
    return {"method": method, "mean": estimate, "low": low, "high": high, "trials": len(values)}


def draw(data: pd.DataFrame, spec: Any, paths: Sequence[str | Path]) -> None:
    """Draw the two panels."""
    methods = {method: params for method, params in spec.methods.items() if params.name != "oracle"}
    families = {method: params.family for method, params in methods.items()}
    styles = line_styles(families)
    panels = {str(panel): rows[rows["method"].isin(methods)] for panel, rows in data.groupby("panel")}
    growth = _growth(panels.get("exponent", data.iloc[:0]))
    labels = {m: f"{params.label(m)}: {growth.get(m, 'no exponent')}" for m, params in methods.items()}
    with look():
        figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 4.3), layout="constrained")
        draw_bands(left, panels["rounds"], styles)
        draw_bands(right, panels["horizons"], styles)
        left.set(title=f"Regret over rounds, $T = {spec.horizon}$", xlabel="round $t$", ylabel="cumulative regret")
        left.set(xlim=(0, spec.horizon), ylim=(0, None))
        right.set(title="Final regret over horizons", xlabel="horizon $T$", ylabel="regret at $T$")
        right.set(xscale="log", yscale="log", xticks=spec.horizons, xticklabels=map(str, spec.horizons))
        right.minorticks_off()
        right.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        right.yaxis.set_major_formatter(ScalarFormatter())
        lines = handles(panels["rounds"], styles, labels)
        note = r"$T^{\alpha}$: exponent fitted over the horizons (95% bootstrap interval)"
        family_legend(figure, lines, families, f"{caption(data, spec)}\n{note}")
        save(figure, paths)


def _growth(exponents: pd.DataFrame) -> dict[str, str]:
    """The exponents of the methods for legends."""
    rows = exponents.set_index("method")[["mean", "low", "high"]].T.items()
    return {str(method): "$T^{{\\,{:.2f}}}$ ({:.2f}, {:.2f})".format(*row) for method, row in rows}
