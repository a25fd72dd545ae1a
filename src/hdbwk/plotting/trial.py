"""One trial: what its methods did, round by round."""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from hdbwk.plotting.recovery import PANELS as RECOVERY
from hdbwk.plotting.style import WIDTH, line_styles, look, save

PANELS: dict[str, dict[str, tuple[str, str]]] = {  # experiment: measure: title and axis label
    "recovery": RECOVERY,
    "bandit": {"regret": ("Regret", "cumulative regret")},
    "cbwk": {
        "regret": ("Regret", "cumulative regret"),
        "remaining": ("Capacities, a line for each", "share of capacity left"),
        "price": ("Dual prices, a line for each", r"price $\lambda_i$"),
    },
}


def draw(table: pd.DataFrame, spec: Mapping[str, Any], title: str, paths: Sequence[str | Path]) -> None:
    """
    Draw a panel for each measure, a colour for each method.

    Parameters
    ----------
    table : DataFrame
        Columns ``method``, ``measure``, ``resource``, ``t``, ``value``.
    spec : mapping
        The experiment, with the methods that are drawn.
    title : str
    paths : sequence of paths
    """
    kind = importlib.import_module(f"hdbwk.plotting.{spec['kind']}")
    styles = line_styles({method: kind.family(params) for method, params in spec["methods"].items()})
    panels = PANELS[spec["kind"]]
    width = WIDTH if len(panels) > 1 else 4.2
    with look():
        figure, axes = plt.subplots(1, len(panels), figsize=(width, 2.9), layout="constrained", squeeze=False)
        for ax, (measure, (name, axis)) in zip(axes[0], panels.items(), strict=True):
            for method, params in spec["methods"].items():
                rows = table[(table["measure"] == measure) & (table["method"] == method)]
                _lines(ax, rows, styles[method], kind.label(method, params))
            ax.set(title=name, xlabel="round $t$", ylabel=axis, xlim=(0, spec["horizon"]))
        if spec["kind"] == "recovery":
            axes[0, 0].set_yscale("log")
        figure.suptitle(title, fontsize=8.5)
        figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        save(figure, paths)


def _lines(ax: Any, rows: pd.DataFrame, style: Mapping[str, Any], label: str) -> None:
    """One line, or a thin one for each resource."""
    if rows["resource"].isna().all():
        ax.plot(rows["t"], rows["value"], label=label, **style)
        return
    for _, line in rows.groupby("resource"):
        ax.plot(line["t"], line["value"], linewidth=0.7, alpha=0.7, **style)
