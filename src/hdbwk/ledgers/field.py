"""The field: each method against the paper's and against the best, trial by trial."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from hdbwk.ledgers.numbers import intervals, short
from hdbwk.ledgers.trials import Tables
from hdbwk.metrics.inference import holm, p_positive, paired, ratio_of_means
from hdbwk.metrics.summary import Interval

AHEAD, LEVEL, BEHIND = "ahead", "level", "behind"
REFERENCES = {"field_bandit": "online_ht", "field_knapsack": "resolving_ht"}  # what the paper recommends
CONTROLS = ("oracle", "fluid_oracle")


class Comparison(NamedTuple):
    """A method against another, on the trials of one law of instances."""

    experiment: str
    instance: str
    method: str
    against: str
    why: str
    regret: float
    ratio: Interval
    p_value: float
    trials: int


def judge(config: Mapping[str, Any], tables: Tables) -> pd.DataFrame:
    """
    One row for each comparison: the ratio of mean regrets at T with Fieller's interval, and a verdict.

    A method is `ahead` or `behind` if the two-sided p-value of the paired difference is below the level after Holm's
    correction over all rows, else `level`. Each is set against what the paper recommends, and against the method
    with the smallest mean on these very trials, which flatters that one a little. Last come the comparisons that the
    advice of Section 9 rests on: Algorithm 4 against Algorithm 2, and greedy against epsilon-greedy choices.

    Parameters
    ----------
    config : mapping
        The configuration of the workflow.
    tables : mapping
        The tables of all trials, by experiment.
    """
    fields = [name for name in REFERENCES if name in tables]
    found = [row for name in fields for row in _field(name, config[name], tables[name])]
    if "bandit" in tables:
        ends = _ends(tables["bandit"], config["bandit"]["horizon"])
        found.append(_compare("bandit", "paper", "greedy_s10", "eps_greedy_s10", "advice of Section 9", ends))
    rows = [{**row._asdict(), **row.ratio._asdict()} for row in found]
    table = pd.DataFrame(rows).drop(columns="ratio").rename(columns={"estimate": "ratio"})
    table["p_value"] = holm(list(table["p_value"]))
    differs = table["p_value"] <= config["ledgers"]["level"]
    table["verdict"] = (table["ratio"] < 1).map({True: AHEAD, False: BEHIND}).where(differs, LEVEL)
    return table[[*(name for name in table if name != "verdict"), "verdict"]]


def _field(name: str, spec: Mapping[str, Any], table: pd.DataFrame) -> Iterator[Comparison]:
    """All comparisons of an experiment of the field."""
    honest = [method for method, params in spec["methods"].items() if params["name"] not in CONTROLS]
    reference = REFERENCES[name]
    for place, instance in enumerate(spec["instances"]):
        ends = _ends(table[table["size"] == place], spec["horizon"])
        best = ends[honest].mean().idxmin()
        for method in honest:
            if method != reference:
                yield _compare(name, instance, method, reference, "the paper's", ends)
            if method != best:
                yield _compare(name, instance, method, str(best), "best", ends)
        if name == "field_knapsack":
            yield _compare(name, instance, "resolving_ht", "primal_dual_ht", "advice of Section 9", ends)


def _ends(table: pd.DataFrame, horizon: int) -> pd.DataFrame:
    """Regret at the end of a horizon, a row for each trial, a column for each method."""
    rows = table[(table["horizon"] == horizon) & (table["t"] == horizon)]
    return rows.pivot_table(index="trial", columns="method", values="regret")


def _compare(experiment: str, instance: str, method: str, against: str, why: str, ends: pd.DataFrame) -> Comparison:
    first, second = ends[method], ends[against]
    a, b = paired(first, second)
    p_value = min(1.0, 2 * min(p_positive(a - b), p_positive(b - a)))
    ratio = ratio_of_means(first, second)
    return Comparison(experiment, instance, method, against, why, float(a.mean()), ratio, p_value, len(a))


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people: against the paper's method and against the best, side by side."""
    place = ["experiment", "instance", "method"]
    texts = table.assign(
        regret=table["regret"].map(short),
        text=[
            f"{ratio}: {verdict}" for ratio, verdict in zip(intervals(table, "ratio"), table["verdict"], strict=True)
        ],
    )
    wide = texts.pivot_table(index=place, columns="why", values="text", aggfunc="first", sort=False)
    regret = texts.groupby(place, sort=False)["regret"].first()
    names = {"the paper's": "ratio to the paper's", "best": "ratio to the best"}
    columns = [name for name in (*names, "advice of Section 9") if name in wide]
    return pd.concat([regret, wide[columns]], axis=1).fillna("").rename(columns=names).reset_index()
