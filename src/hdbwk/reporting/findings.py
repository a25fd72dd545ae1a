"""Numbers for documents, read from the figures folder when a document is made: none is typed by hand."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hdbwk.ledgers.verdicts import counted

LEDGERS = {
    "claims": "Claims of Section 8",
    "rates": "Rates of the theorems",
    "assumptions": "Assumptions on the instances",
    "field": "Methods of the field, against the paper's",
}


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
        """
        The verdicts of a ledger; empty if there is no such ledger.

        One for each claim or row; controls are left out, and of the field all but comparisons with the paper's methods.
        """
        if not self.has(f"{ledger}.csv"):
            return pd.Series([], dtype=str)
        table = pd.read_csv(self.folder / f"{ledger}.csv", keep_default_na=False)
        rows = table.drop_duplicates("claim") if "claim" in table else table
        rows = rows[rows["control"].astype(str) != "True"] if "control" in rows else rows
        rows = rows[rows["why"] == "the paper's"] if ledger == "field" else rows
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
    counts = [f"- {named}: {found.counts(ledger)}." for ledger, named in LEDGERS.items() if len(found.verdicts(ledger))]
    return "\n".join([*counts, "", *(f"{i}. {text}" for i, text in enumerate(_three(found), start=1))]) + "\n"


def _three(found: Findings) -> list[str]:
    """Favourable or not."""
    errors = {name: found.final("fig1_recovery", name, "error") for name in ("online_ht_s20", "lasso_c05")}
    early = {name: found.at("fig1_recovery", name, 100, "error") for name in errors}
    bandit = {name: found.final("fig2_bandit", name) for name in ("greedy_s10", "lasso_total_05", "lasso_per_arm_05")}
    knapsack = {
        name: found.final("fig3_cbwk", name)
        for name in ("lincbwk", "lincbwk_tuned", "primal_dual_s10", "resolving_s10", "resolving_skip_s10")
    }
    return [
        f"*Sparse recovery.* The squared error of Online HT (s = 20) is {errors['online_ht_s20']:.2g} at T = 1000, "
        f"that of LASSO (c = 0.5) {errors['lasso_c05']:.2g}; at t = 100 it is {early['online_ht_s20']:.2g} against "
        f"{early['lasso_c05']:.2g}.",
        f"*Bandit.* Greedy Online HT ends at a regret of {bandit['greedy_s10']:.0f}; LASSO, explore then commit, at "
        f"{bandit['lasso_total_05']:.0f} if t1 counts all rounds, at {bandit['lasso_per_arm_05']:.0f} if it counts "
        "those of each arm.",
        f"*Knapsacks.* Algorithm 2 ends at {knapsack['primal_dual_s10']:.0f}, resolving at "
        f"{knapsack['resolving_s10']:.0f} under the paper's rule EXIT, and at {knapsack['resolving_skip_s10']:.0f} if "
        f"only the query that exceeds a capacity is refused; linCBwK at {knapsack['lincbwk']:.0f} with the radius of "
        f"its paper, at {knapsack['lincbwk_tuned']:.0f} once it is tuned.",
    ]
