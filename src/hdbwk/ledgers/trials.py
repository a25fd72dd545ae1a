"""How the ledgers read the tables of all trials."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

Tables = Mapping[str, pd.DataFrame]


class NotSimulatedError(KeyError):
    """An experiment or a method that a configuration has left out; the rows that need it are left out too."""


class Trials:
    """
    The tables of all trials, with the configuration that they come from.

    Parameters
    ----------
    config : mapping
        The configuration of the workflow.
    tables : mapping
        The trials of each experiment, by its name; their column ``seconds`` says what the whole experiment took.
    """

    def __init__(self, config: Mapping[str, Any], tables: Tables) -> None:
        self.config, self.tables = config, tables

    def along(self, experiment: str, method: str, column: str) -> pd.DataFrame:
        """A column of one method: a row for each trial, a column for each round that was read."""
        rows = self._of(experiment, method)
        if "horizon" in rows:
            rows = rows[rows["horizon"] == self.config[experiment]["horizon"]]
        return rows.pivot_table(index="trial", columns="t", values=column)

    def over_horizons(self, experiment: str, method: str, column: str = "regret") -> pd.DataFrame:
        """A column of one method at the end of each horizon, for the trials that play all of them."""
        rows = self._of(experiment, method)
        if "horizon" in rows:
            rows = rows[rows["t"] == rows["horizon"]]
        return rows.pivot_table(index="trial", columns="t", values=column).dropna()

    def at(self, experiment: str, method: str, column: str, t: float) -> pd.Series:
        """A column of one method at the first round that was read from t on."""
        rounds = self.along(experiment, method, column)
        return rounds.iloc[:, int(np.argmax(rounds.columns.to_numpy(dtype=float) >= t))]

    def final(self, experiment: str, method: str, column: str = "regret") -> pd.Series:
        """A column of one method at the end of the horizon that the figure shows."""
        return self.along(experiment, method, column).iloc[:, -1]

    def longest(self, experiment: str, method: str, column: str = "regret") -> pd.Series:
        """A column of one method at the end of the longest horizon."""
        return self.over_horizons(experiment, method, column).iloc[:, -1]

    def over_sweep(self, label: str, method: str, column: str) -> pd.DataFrame:
        """A column of one method over the sizes of a sweep, at the end of the longest horizon."""
        rows = self._of(f"rates_{label}", method)
        return rows[rows["t"] == rows["t"].max()].pivot_table(index="trial", columns="size", values=column)

    def late(self, label: str, method: str, since: int, column: str = "regret") -> pd.DataFrame:
        """What the sizes of a sweep add from the end of the horizon `since` to that of the longest."""
        rows = self._of(f"rates_{label}", method)
        rows = rows[rows["t"] == rows["horizon"]]
        first, last = (
            rows[rows["horizon"] == end].pivot_table(index="trial", columns="size", values=column)
            for end in (since, rows["horizon"].max())
        )
        return last - first

    def along_sizes(self, label: str, method: str, rounds: int, column: str = "regret") -> pd.DataFrame:
        """A column over the sizes of a sweep, each read after `rounds` times its size, in the longest horizon."""
        rows = self._of(f"rates_{label}", method)
        rows = rows[(rows["horizon"] == rows["horizon"].max()) & (rows["t"] == rounds * rows["size"])]
        return rows.pivot_table(index="trial", columns="size", values=column)

    def _of(self, experiment: str, method: str) -> pd.DataFrame:
        table = self.tables.get(experiment)
        if table is None or not (table["method"] == method).any():
            raise NotSimulatedError(f"{method} of {experiment} was not simulated")
        return table[table["method"] == method]
