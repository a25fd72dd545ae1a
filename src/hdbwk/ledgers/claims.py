"""The claims of Section 8 with what was measured and a verdict."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hdbwk.ledgers.checks import Check
from hdbwk.ledgers.claim_rows import CLAIMS, Claim
from hdbwk.ledgers.numbers import short
from hdbwk.ledgers.trials import NotSimulatedError, Tables, Trials
from hdbwk.ledgers.verdicts import all_of
from hdbwk.metrics.inference import holm


def judge(config: Mapping[str, Any], tables: Tables, claims: Sequence[Claim] = CLAIMS) -> pd.DataFrame:
    """
    One row for each check of each claim; the verdict of a claim stands in all its rows.

    A check holds, or is contradicted, if its p-value is below the level after Holm's correction over all checks.

    Parameters
    ----------
    config : mapping
        The configuration of the workflow.
    tables : mapping
        The tables of all trials, by experiment.
    claims : sequence of Claim
    """
    trials = Trials(config, tables)
    rows = [(claim, check) for claim in claims for check in _checks(claim, trials)]
    table = pd.DataFrame(
        {
            "where": [claim.where for claim, _ in rows],
            "claim": [claim.says for claim, _ in rows],
            "rule": [claim.rule.format(**config["ledgers"]) for claim, _ in rows],
            "check": [check.label for _, check in rows],
            "measured": [check.measured.estimate for _, check in rows],
            "low": [check.measured.low for _, check in rows],
            "high": [check.measured.high for _, check in rows],
            "p_holds": holm([check.p_holds for _, check in rows]),
            "p_fails": holm([check.p_fails for _, check in rows]),
        }
    )
    table["holds"] = table["p_holds"] <= config["ledgers"]["level"]
    table["contradicted"] = table["p_fails"] <= config["ledgers"]["level"]
    verdicts = {says: all_of(list(own["holds"]), list(own["contradicted"])) for says, own in table.groupby("claim")}
    table["verdict"] = table["claim"].map(verdicts)
    return table


def _checks(claim: Claim, trials: Trials) -> list[Check]:
    """The checks of a claim; none, with a word in the log, if something that it needs was not simulated."""
    try:
        return list(claim.checks(trials))
    except NotSimulatedError as error:
        print(f"left out: {claim.says} ({error})")
        return []


def markdown(table: pd.DataFrame) -> str:
    """The table for people: one line for each claim, its checks from the smallest to the largest ratio."""
    lines = ["| section | the paper says | rule | measured | checks | verdict |", "|---|---|---|---|---|---|"]
    for says in table["claim"].unique():
        own = table[table["claim"] == says].sort_values("measured")
        first = own.iloc[0]
        extremes = own.iloc[[0, -1]] if len(own) > 1 else own
        measured = "; ".join(f"{row.check}: {_number(row)}" for row in extremes.itertuples())
        checks = f"{own['holds'].sum()} of {len(own)}"
        lines.append(
            f"| {first['where']} | {says} | {first['rule']} | {measured} | {checks} | **{first['verdict']}** |"
        )
    return "\n".join(lines) + "\n"


def _number(row: Any) -> str:
    """An estimate with its interval, where it has one."""
    if np.isnan(row.low):
        return short(row.measured)
    if np.isinf(row.low):
        return "the second does not differ from 0"
    return f"{short(row.measured)} ({short(row.low)} to {short(row.high)})"
