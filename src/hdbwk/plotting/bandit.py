"""Figure 2: regret over rounds, and over horizons with the exponent of its growth."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from hdbwk.metrics.summary import bands, growth_exponent
from hdbwk.plotting.style import WIDTH, band, caption, family_legend, line_styles, look, save
from hdbwk.seeds import rng


def curves(trials: pd.DataFrame, spec: Mapping[str, Any]) -> pd.DataFrame:
    """The data of the figure: regret along the shown horizon, regret at each horizon, exponents over horizons."""
    along = bands(trials[trials["horizon"] == spec["horizon"]], "regret", ["method", "t"])
    ends = trials[trials["t"] == trials["horizon"]]
    final = bands(ends, "regret", ["method", "t"])
    exponents = pd.DataFrame(
        [_exponent(str(method), rows) for method, rows in ends.groupby("method") if rows["regret"].mean() > 0]
    )
    parts = [along.assign(panel="rounds"), final.assign(panel="horizons"), exponents.assign(panel="exponent")]
    data = pd.concat([part for part in parts if len(part)], ignore_index=True)
    unconverged = ends.groupby("method")["unconverged"].sum().rename("unconverged_solves")
    columns = ["panel", "method", "t", "mean", "low", "high", "trials", "unconverged_solves"]
    return data.merge(unconverged, on="method").reindex(columns=columns)


def _exponent(method: str, ends: pd.DataFrame) -> dict[str, Any]:
    """The exponent of the mean final regret in T; the bootstrap has a seed of its own."""
    values = ends.pivot_table(index="trial", columns="horizon", values="regret")
    estimate, low, high = growth_exponent(values, rng(0, "exponent", method))
    return {"method": method, "mean": estimate, "low": low, "high": high, "trials": len(values)}


def draw(data: pd.DataFrame, spec: Mapping[str, Any], paths: Sequence[str | Path]) -> None:
    """Draw Figure 2 from its data."""
    methods = {method: params for method, params in spec["methods"].items() if params["name"] != "oracle"}
    families = {method: _family(params) for method, params in methods.items()}
    styles = line_styles(families)
    exponents = data[data["panel"] == "exponent"].set_index("method")
    with look():
        figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 4.2), layout="constrained")
        for method, params in methods.items():
            rows = data[data["method"] == method]
            along, final = rows[rows["panel"] == "rounds"], rows[rows["panel"] == "horizons"]
            band(left, along["t"], along, styles[method], _label(params, exponents.loc[method]))
            band(right, final["t"], final, styles[method], "")
        left.set(title=f"Regret over rounds, $T = {spec['horizon']}$", xlabel="round $t$", ylabel="cumulative regret")
        left.set(xlim=(0, spec["horizon"]), ylim=(0, None))
        right.set(title="Final regret over horizons", xlabel="horizon $T$", ylabel="regret at $T$")
        right.set(xscale="log", yscale="log", xticks=spec["horizons"], xticklabels=map(str, spec["horizons"]))
        right.minorticks_off()
        growth = r"$T^{\alpha}$: exponent fitted over the horizons (95% bootstrap interval)"
        family_legend(figure, left, families, caption(data, spec, growth))
        save(figure, paths)


def _family(params: Mapping[str, Any]) -> str:
    if params["name"] == "online_ht_bandit":
        return "greedy" if params["epsilon"] == 0 else "online_ht"
    return {"lasso_etc": "lasso"}.get(params["name"], "control")


def _label(params: Mapping[str, Any], exponent: pd.Series) -> str:
    growth = f"$T^{{\\,{exponent['mean']:.2f}}}$ ({exponent['low']:.2f}, {exponent['high']:.2f})"
    if params["name"] == "online_ht_bandit":
        kind = "greedy" if params["epsilon"] == 0 else r"$\epsilon$-greedy"
        return f"{kind}, $s_0' = {params['sparsity']}$: {growth}"
    if params["name"] == "lasso_etc":
        unit = "an arm" if params["unit"] == "per_arm" else "in all"
        return f"LASSO, ${params['explore']:g}\\,T^{{2/3}}$ {unit}: {growth}"
    return f"{params['name'].split(':')[-1]}: {growth}"
