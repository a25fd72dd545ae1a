"""The claims of Section 8 with what was measured and a verdict."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hdbwk.ledgers.checks import Check
from hdbwk.ledgers.claim_rows import CLAIMS, Claim
from hdbwk.ledgers.numbers import between, short
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
    limits = {key: f"{value:g}" for key, value in config["ledgers"].items()}
    rows = [(claim, check) for claim in claims for check in _checks(claim, trials)]
    table = pd.DataFrame(
        {
            "where": [claim.where for claim, _ in rows],
            "claim": [claim.says for claim, _ in rows],
            "rule": [claim.rule.format(**limits) for claim, _ in rows],
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


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people: one row for each claim, with the checks of its smallest and its largest ratio."""
    rows = []
    for says, own in table.groupby("claim", sort=False):
        ends = own.sort_values("measured").iloc[[0, -1] if len(own) > 1 else [0]]
        rows.append(
            {
                "section": own["where"].iloc[0],
                "the paper says": says,
                "rule": own["rule"].iloc[0],
                "measured": "; ".join(f"{row.check}: {_measured(row)}" for row in ends.itertuples()),
                "checks": f"{own['holds'].sum()} of {len(own)} hold, {own['contradicted'].sum()} contradicted",
                "verdict": own["verdict"].iloc[0],
            }
        )
    return pd.DataFrame(rows)


def _measured(row: Any) -> str:
    """An estimate with its interval, where it has one."""
    if np.isinf(row.low):
        return "the second does not differ from 0"
    limits = between(row.low, row.high)
    return short(row.measured) + (f" ({limits})" if limits else "")
