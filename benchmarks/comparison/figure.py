"""Figure 5: the cost of a round and of a re-solve, ours and theirs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from hdbwk.plotting.style import FAMILIES, WIDTH, look, save

OURS, LASSO, GREEDY, OTHER = (FAMILIES[name] for name in ("online_ht", "lasso", "resolving", "control"))
MARKS: dict[str, tuple[str, str]] = {  # colour and marker; what is not here is not drawn
    "ours, auto": (OURS, "o"),
    "textbook numpy": ("#444444", "s"),
    "LASSO, sklearn": (LASSO, "^"),
    "LASSO, celer": (LASSO, "v"),
    "LASSO, skglm": (LASSO, "D"),
    "LASSO, sklearn, running Gram": (LASSO, "P"),
    "OMP, sklearn": (GREEDY, "^"),
    "OMP, sklearn, running Gram": (GREEDY, "P"),
    "best subset, abess": (GREEDY, "D"),
}
DUAL_MARKS: dict[str, tuple[str, str]] = {
    "ours, warm": (OURS, "o"),
    "ours, cold": (OURS, "s"),
    "linprog": ("#444444", "s"),
    "highspy": ("#444444", "^"),
    "cvxpy, CLARABEL": (FAMILIES["resolving_skip"], "v"),
    "cvxpy, HIGHS": (FAMILIES["resolving_skip"], "^"),
    "cvxpy, OSQP": (FAMILIES["resolving_skip"], "D"),
    "cvxpy, SCIPY": (FAMILIES["resolving_skip"], "s"),
    "cvxpy, SCS": (FAMILIES["resolving_skip"], "P"),
}


def draw(table: pd.DataFrame, paths: Sequence[str | Path]) -> None:
    """Draw the figure from the table of all comparisons."""
    parts = dict(iter(table.groupby("comparison")))
    over_t, over_d, equal, dual = parts["t"], parts["d"], parts["equal time"], parts["dual"]
    clock = parts["estimates"]["seconds"].iloc[0]
    with look():
        figure, axes = plt.subplots(2, 2, figsize=(WIDTH, 5.4), layout="constrained")
        (at_t, at_d), (at_equal, at_dual) = axes
        curves(at_t, over_t, "t", "seconds", MARKS, 1e3)
        curves(at_d, over_d, "d", "seconds", MARKS, 1e3)
        curves(at_equal, equal, "t", "error", MARKS, every=25)
        curves(at_dual, dual, "t", "seconds", DUAL_MARKS, 1e3)
        at_t.set(title=f"Cost of a round, $d = {over_t['d'].iloc[0]}$", xlabel="round $t$", ylabel="milliseconds")
        at_d.set(title=f"Cost of a round, $t = {over_d['t'].iloc[0]}$", xlabel="dimension $d$", ylabel="milliseconds")
        at_equal.set(
            title=f"Error at equal time, {clock:.2g} s in all",
            xlabel="round $t$",
            ylabel=r"$\|\hat\mu_t - \mu_\star\|_2^2$",
        )
        at_dual.set(title="Cost of a re-solve of the dual", xlabel="round $t$", ylabel="milliseconds")
        for ax in axes.flat:
            ax.set(xscale="log", yscale="log")
        for ax, place in ((at_equal, "Estimators, other panels"), (at_dual, "Solvers of the dual")):
            handles, labels = ax.get_legend_handles_labels()
            side = "outside lower left" if ax is at_equal else "outside lower right"
            figure.legend(handles, labels, loc=side, ncols=2, fontsize=6.5, title=place, title_fontsize=6.8)
        save(figure, paths)


def curves(
    ax: Any,
    rows: pd.DataFrame,
    x: str,
    y: str,
    marks: dict[str, tuple[str, str]],
    unit: float = 1.0,
    every: int = 1,
) -> None:
    """A curve for each contender that was measured, ours strong and on top."""
    for name, (colour, marker) in marks.items():
        part = rows[(rows["contender"] == name) & rows[y].notna()]
        if part.empty:
            continue
        ours, best = name.startswith("ours"), name in ("ours, auto", "ours, warm")
        ax.plot(
            part[x],
            unit * part[y],
            label=name,
            color=colour,
            marker=marker,
            markevery=every,
            markersize=4.5 if ours else 3.2,
            markerfacecolor=colour if ours else "white",
            linewidth=2.6 if best else 1.4 if ours else 1.0,
            zorder=4 if ours else 3,
        )
