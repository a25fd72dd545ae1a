"""Figure 5: the cost of a round and of a re-solve, ours and theirs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from hdbwk.plotting.style import FAMILIES, WIDTH, look, save

OURS, LASSO, GREEDY, CVXPY = (FAMILIES[name] for name in ("online_ht", "lasso", "resolving", "resolving_skip"))
DARK = FAMILIES["lincbwk"]
Marks = dict[str, tuple[str, str]]  # colour and marker; what is not here is not drawn
MARKS: Marks = {
    "ours, auto": (OURS, "o"),
    "textbook numpy": (DARK, "s"),
    "LASSO, sklearn": (LASSO, "^"),
    "LASSO, celer": (LASSO, "v"),
    "LASSO, skglm": (LASSO, "D"),
    "LASSO, sklearn, running Gram": (LASSO, "P"),
    "OMP, sklearn": (GREEDY, "^"),
    "OMP, sklearn, running Gram": (GREEDY, "P"),
    "best subset, abess": (GREEDY, "D"),
}
DUAL_MARKS: Marks = {
    "ours, warm": (OURS, "o"),
    "ours, cold": (OURS, "s"),
    "linprog": (DARK, "s"),
    "highspy": (DARK, "^"),
    "cvxpy, CLARABEL": (CVXPY, "v"),
    "cvxpy, HIGHS": (CVXPY, "^"),
    "cvxpy, OSQP": (CVXPY, "D"),
    "cvxpy, SCIPY": (CVXPY, "s"),
    "cvxpy, SCS": (CVXPY, "P"),
}
WIDTHS = {"ours, auto": 2.6, "ours, warm": 2.6, "ours, cold": 1.6}  # of the others: 1


def draw(table: pd.DataFrame, paths: Sequence[str | Path]) -> None:
    """Draw the figure from the table of all comparisons."""
    parts = dict(iter(table.assign(milliseconds=1e3 * table["seconds"]).groupby("comparison")))
    clock = parts["estimates"]["seconds"].iloc[0]
    with look():
        figure, axes = plt.subplots(2, 2, figsize=(WIDTH, 5.4), layout="constrained")
        (at_t, at_d), (at_equal, at_dual) = axes
        curves(at_t, parts["t"], "t", "milliseconds", MARKS)
        curves(at_d, parts["d"], "d", "milliseconds", MARKS)
        curves(at_equal, parts["equal time"], "t", "error", MARKS, markevery=25)
        curves(at_dual, parts["dual"], "t", "milliseconds", DUAL_MARKS)
        at_t.set(title=f"Cost of a round, $d = {parts['t']['d'].iloc[0]}$", xlabel="round $t$")
        at_d.set(title=f"Cost of a round, $t = {parts['d']['t'].iloc[0]}$", xlabel="dimension $d$")
        at_equal.set(title=f"Error at equal time, {clock:.2g} s in all", xlabel="round $t$")
        at_equal.set_ylabel(r"$\|\hat\mu_t - \mu_\star\|_2^2$")
        at_dual.set(title="Cost of a re-solve of the dual", xlabel="round $t$")
        for ax in axes.flat:
            ax.set(xscale="log", yscale="log")
        change_of_store(at_t, parts["t"], parts["change"].iloc[0])
        for ax, side, title in (
            (at_equal, "outside lower left", "Estimators, other panels"),
            (at_dual, "outside lower right", "Solvers of the dual"),
        ):
            handles, labels = ax.get_legend_handles_labels()
            figure.legend(handles, labels, loc=side, ncols=2, fontsize=6.5, title=title, title_fontsize=6.8)
        save(figure, paths)


def curves(ax: Axes, rows: pd.DataFrame, x: str, y: str, marks: Marks, **options: Any) -> None:
    """A curve for each contender that was measured, ours strong and on top."""
    measured = rows[rows[y].notna()]
    for name, (colour, marker) in marks.items():
        ours = name in WIDTHS
        sns.lineplot(
            measured[measured["contender"] == name],
            x=x,
            y=y,
            label=name,
            color=colour,
            marker=marker,
            markersize=4.5 if ours else 3.2,
            markerfacecolor=colour if ours else "white",
            markeredgecolor=colour,
            linewidth=WIDTHS.get(name, 1.0),
            zorder=4 if ours else 3,
            legend=False,
            ax=ax,
            **options,
        )


def change_of_store(ax: Axes, over_t: pd.DataFrame, change: pd.Series) -> None:
    """The round in which ours goes over to the matrix is not the cost of a round: a note says when, and how long."""
    ours = over_t[over_t["contender"] == change["contender"]].set_index("t")["milliseconds"]
    ax.annotate(
        f"once, at $t = {change['t']}$: from history\nto matrix in {change['milliseconds']:.0f} ms",
        (change["t"], ours.asof(change["t"])),
        (-14, 18),
        textcoords="offset points",
        ha="right",
        fontsize=6,
        color=OURS,
        arrowprops={"arrowstyle": "->", "color": OURS},
    )
