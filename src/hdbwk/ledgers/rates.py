"""The rates of the theorems with what was measured, a verdict, and controls that must fail."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hdbwk.core.seeds import rng
from hdbwk.ledgers.numbers import intervals, short
from hdbwk.ledgers.rate_rows import RATES, Rate
from hdbwk.ledgers.trials import NotSimulatedError, Tables, Trials
from hdbwk.ledgers.verdicts import INCONCLUSIVE, REPRODUCED, trials_needed, upper_bound, would_decide
from hdbwk.metrics.summary import Interval, bands, growth_exponent


class ControlError(RuntimeError):
    """A negative control came out as reproduced, so that the verdicts of its family mean nothing."""


def judge(config: Mapping[str, Any], tables: Tables, rates: Sequence[Rate] = RATES) -> pd.DataFrame:
    """
    One row for each rate: the exponent with its 95% bootstrap interval over trials, local exponents, the verdict.

    Parameters
    ----------
    config : mapping
        The configuration of the workflow.
    tables : mapping
        The tables of all trials, by experiment.
    rates : sequence of Rate

    Raises
    ------
    ControlError
        If a control passes, and ``controls_must_fail`` is set.
    """
    table = pd.DataFrame([_row(rate, values, config) for rate, values in _simulated(rates, Trials(config, tables))])
    passed = table[table["control"] & (table["verdict"] == REPRODUCED)]
    if len(passed) and config["ledgers"]["controls_must_fail"]:
        names = "; ".join(passed["family"] + ": " + passed["measured"])
        raise ControlError(f"controls that must fail came out as reproduced: {names}")
    return table


def points(config: Mapping[str, Any], tables: Tables, rates: Sequence[Rate] = RATES) -> pd.DataFrame:
    """The means that the rates are fitted to, with their bands: one row for each rate and size."""
    parts = []
    for row, (_, values) in enumerate(_simulated(rates, Trials(config, tables))):
        tidy = values.melt(var_name="size", value_name="value")
        parts.append(bands(tidy, "value", ["size"]).assign(row=row))
    return pd.concat(parts, ignore_index=True)


def _simulated(rates: Sequence[Rate], trials: Trials) -> Iterator[tuple[Rate, pd.DataFrame]]:
    """Each rate with its values; those that the configuration leaves out are named in the log."""
    for rate in rates:
        try:
            yield rate, rate.read(trials)
        except NotSimulatedError as error:
            print(f"left out: {rate.result}, {rate.says} ({error})")


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    local = table.filter(regex=r"^local_\d").to_numpy()
    return pd.DataFrame(
        {
            "result": table["result"],
            "measured": table["measured"],
            "against": table["axis"],
            "exponent or value (95%)": intervals(table, "estimate", digits=2),
            "local exponents": [", ".join(f"{slope:.2f}" for slope in row if np.isfinite(slope)) for row in local],
            "at most": [short(limit, 2) for limit in table["limit"]],
            "trials": table["trials"],
            "verdict": table["verdict"],
            "would decide": list(map(would_decide, table["trials_needed"], table["trials"])),
        }
    )


def _row(rate: Rate, values: pd.DataFrame, config: Mapping[str, Any]) -> dict[str, Any]:
    """What is measured of one rate, and what it comes to."""
    limit = rate.bound + (config["ledgers"][rate.tolerance] if rate.tolerance else 0)
    measured = _measured(rate, values)
    verdict = upper_bound(measured, limit)
    return {
        "family": rate.family,
        "result": rate.result,
        "measured": rate.says,
        "axis": rate.axis,
        **measured._asdict(),
        "bound": rate.bound,
        "limit": limit,
        "trials": len(values),
        "control": rate.control,
        "verdict": verdict,
        "trials_needed": trials_needed(measured, limit, len(values)) if verdict == INCONCLUSIVE else np.nan,
        **{f"local_{i}": slope for i, slope in enumerate(_local_exponents(rate, values), start=1)},
    }


def _measured(rate: Rate, values: pd.DataFrame) -> Interval:
    """The exponent, or what the rate measures instead; undefined if the means do not allow a fit."""
    generator = rng(0, "rates", rate.family, rate.result, rate.says, rate.axis)
    if rate.measure is not growth_exponent:
        return rate.measure(values, generator)
    if not _allow_a_fit(values):
        return Interval(np.nan, np.nan, np.nan)
    return growth_exponent(_scaled(rate, values), generator)


def _allow_a_fit(values: pd.DataFrame) -> bool:
    """Whether there are several sizes, with a positive mean at each."""
    return len(values.columns) > 1 and bool((values.mean() > 0).all())


def _scaled(rate: Rate, values: pd.DataFrame) -> pd.DataFrame:
    """The values with their sizes as the fit sees them."""
    return values.rename(columns=np.log) if rate.axis.startswith("log ") else values


def _local_exponents(rate: Rate, values: pd.DataFrame) -> list[float]:
    """The exponents between neighbouring sizes: is the asymptotic regime reached?"""
    if rate.measure is not growth_exponent or not _allow_a_fit(values):
        return []
    means = np.log(_scaled(rate, values).mean())
    return list(np.diff(means) / np.diff(np.log(means.index.to_numpy(dtype=float))))
