"""Numbers for documents, read from the figures folder when a document is made: none is typed by hand."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hdbwk.ledgers.verdicts import counted

LEDGERS = ("claims", "rates", "assumptions", "field")


@dataclass(frozen=True)
class Findings:
    """
    What a run found.

    Attributes
    ----------
    folder : Path
        That of the figures, `figures` in the project.
    """

    folder: Path

    def has(self, name: str) -> bool:
        """Whether the run made a file of that name."""
        return (self.folder / name).exists()

    def table(self, name: str) -> pd.DataFrame:
        """The numbers behind a figure or a ledger."""
        return pd.read_csv(self.folder / f"{name}.csv")

    def final(self, figure: str, method: str, measure: str | None = None) -> float:
        """The mean of a curve at its last round, of the figure's rounds and not of its horizons."""
        curve = self._curve(figure, method, measure)
        return float(curve.loc[curve["t"].idxmax(), "mean"])

    def longest(self, figure: str, method: str) -> float:
        """The mean at the longest horizon of a figure."""
        table = self.table(figure)
        curve = table[(table["method"] == method) & (table["panel"] == "horizons")]
        return float(curve.loc[curve["t"].idxmax(), "mean"])

    def at(self, figure: str, method: str, t: int, measure: str | None = None) -> float:
        """The mean of a curve at the last of its rounds up to t."""
        curve = self._curve(figure, method, measure)
        return float(curve[curve["t"] <= t].sort_values("t")["mean"].iloc[-1])

    def verdicts(self, ledger: str) -> pd.Series:
        """The verdicts of a ledger, one for each claim or row, controls left out; empty if there is no such ledger."""
        if not self.has(f"{ledger}.csv"):
            return pd.Series([], dtype=str)
        table = pd.read_csv(self.folder / f"{ledger}.csv", keep_default_na=False)
        rows = table.drop_duplicates("claim") if "claim" in table else table
        rows = rows[rows["control"].astype(str) != "True"] if "control" in rows else rows
        return rows["verdict"] if "verdict" in rows else pd.Series([], dtype=str)

    def counts(self, ledger: str) -> str:
        """How often each verdict occurs, as a sentence."""
        return counted(self.verdicts(ledger))

    def _curve(self, figure: str, method: str, measure: str | None) -> pd.DataFrame:
        table = self.table(figure)
        chosen = table[table["method"] == method]
        chosen = chosen[chosen["panel"] == "rounds"] if "panel" in chosen else chosen
        chosen = chosen[chosen["measure"] == measure] if measure else chosen
        if chosen.empty:
            raise LookupError(f"{figure}.csv has no curve of {method}")
        return chosen


def summary(folder: Path) -> str:
    """The lines of README on what holds: counts of verdicts, and three findings."""
    found = Findings(folder)
    named = {"claims": "Claims of Section 8", "rates": "Rates of the theorems", "assumptions": "Assumptions", "field": "The field"}
    counts = [f"- {named[ledger]}: {found.counts(ledger)}." for ledger in LEDGERS if len(found.verdicts(ledger))]
    return "\n".join([*counts, "", *(f"{i}. {text}" for i, text in enumerate(_three(found), start=1))]) + "\n"


def _three(found: Findings) -> list[str]:
    """Favourable or not."""
    recovery = {name: found.final("fig1_recovery", name, "error") for name in ("online_ht_s20", "lasso_c05")}
    fig3 = {
        name: found.final("fig3_cbwk", name)
        for name in ("lincbwk", "lincbwk_tuned", "primal_dual_s10", "resolving_s10", "resolving_skip_s10")
    }
    greedy, arms = found.final("fig2_bandit", "greedy_s10"), found.final("fig2_bandit", "lasso_per_arm_05")
    return [
        f"*Sparse recovery.* At T = 1000 the squared error of Online HT (s = 20) is {recovery['online_ht_s20']:.2g}, that of LASSO at "
        f"its best penalty {recovery['lasso_c05']:.2g}; at t = 100 it is "
        f"{found.at('fig1_recovery', 'online_ht_s20', 100, 'error'):.2g} against "
        f"{found.at('fig1_recovery', 'lasso_c05', 100, 'error'):.2g}.",
        f"*Knapsacks.* Final regret of Online HT {fig3['primal_dual_s10']:.0f}, of resolving {fig3['resolving_s10']:.0f} under the "
        f"paper's rule EXIT and {fig3['resolving_skip_s10']:.0f} if only the query that exceeds a capacity is refused; of linCBwK "
        f"{fig3['lincbwk']:.0f} with the radius of its paper, {fig3['lincbwk_tuned']:.0f} once it is tuned.",
        f"*Bandit.* Greedy Online HT ends at {greedy:.0f}; explore-then-commit LASSO at "
        f"{found.final('fig2_bandit', 'lasso_total_05'):.0f} if t1 counts all rounds, at {arms:.0f} if it counts those of each arm.",
    ]
