"""The rates of the theorems with what was measured, the power of each row, a verdict, and controls that must fail."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hdbwk.core.seeds import rng
from hdbwk.ledgers.numbers import between, short
from hdbwk.ledgers.rate_rows import RATES
from hdbwk.ledgers.rates_row import Array, Power, Rate
from hdbwk.ledgers.rule import ABOVE, EXCEEDS, NO_POWER, row_level, verdicts, why_no_power
from hdbwk.ledgers.statements import NO_ROW
from hdbwk.ledgers.trials import NotSimulatedError, Tables, Trials
from hdbwk.metrics.growth import growth
from hdbwk.metrics.level import level_of
from hdbwk.metrics.summary import bands


class ControlError(RuntimeError):
    """A control kept its bound, so that the verdicts of its family mean nothing."""


def judge(config: Mapping[str, Any], tables: Tables, rates: Sequence[Rate] = RATES) -> pd.DataFrame:
    """
    One row for each rate, see `hdbwk.ledgers.rule` for the words.

    Parameters
    ----------
    config : mapping
        The numbers of ``ledgers``, and the parameters of the experiments.
    tables : mapping
        The tables of all trials, by experiment.
    rates : sequence of Rate

    Raises
    ------
    ControlError
        If a control keeps its bound, and ``controls_must_fail`` is set.
    """
    trials = Trials(config, tables)
    simulated = list(_simulated(rates, trials))
    level = config["ledgers"]["level"]
    one = row_level(level, sum(not rate.control for rate, _ in simulated))
    table = pd.DataFrame([_row(rate, values, config, one) for rate, values in simulated])
    table["trivial"] = [rate.trivial(trials) if rate.trivial else np.nan for rate, _ in simulated]
    table["parts"] = [rate.parts(trials) if rate.parts else "" for rate, _ in simulated]
    table["verdict"] = verdicts(table, level)
    table["why"] = [
        why_no_power(resolution, excess, measures) if verdict == NO_POWER else ""
        for resolution, excess, measures, verdict in table[["resolution", "excess", "measures", "verdict"]].to_numpy()
    ]
    kept = table[table["control"] & ~table["verdict"].isin([EXCEEDS, ABOVE])]
    if len(kept) and config["ledgers"]["controls_must_fail"]:
        raise ControlError("controls that must fail keep their bounds: " + "; ".join(kept["measured"]))
    return table


def points(config: Mapping[str, Any], tables: Tables, rates: Sequence[Rate] = RATES) -> pd.DataFrame:
    """The means behind the rates with their bands, and the bounds: one row for each rate and size."""
    parts = []
    for row, (rate, values) in enumerate(_simulated(rates, Trials(config, tables))):
        tidy = values.melt(var_name="size", value_name="value")
        parts.append(bands(tidy, "value", ["size"]).assign(bound=_bound(rate, values, config), row=row))
    return pd.concat(parts, ignore_index=True)


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people, and the statements without a row."""
    without = [
        {"statement": f"{statement} (l. {line})", "verdict": "no row", "why": why}
        for statement, (line, why) in NO_ROW.items()
    ]
    return pd.concat([rows_shown(table).astype(str), pd.DataFrame(without)], ignore_index=True).fillna("")


def rows_shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    return pd.DataFrame(
        {
            "statement": table["result"] + table["line"].map(lambda line: f" (l. {line})" if line else ""),
            "measured": table["measured"],
            "departs": table["departs"].fillna(""),
            "against": table["axis"],
            "exponents, or value (95%)": [_measured(row) for _, row in table.iterrows()],
            "bound": [short(bound, 2) for bound in table["allowed"]],
            "bound at C = 1 over measured": [
                "" if np.isnan(ratio) else short(ratio, 2) for ratio in table["bound_over_measured"]
            ],
            "trivial level over measured": [
                "" if np.isnan(level) else short(level / mean, 2)
                for level, mean in table[["trivial", "mean"]].to_numpy(dtype=float)
            ],
            "finds": [short(found, 2) if np.isfinite(found) else "none" for found in table["found"]],
            "terms at the largest size (last exponent)": table["parts"].fillna(""),
            "trials": table["trials"],
            "verdict": table["verdict"],
            "why": table["why"].fillna(""),
        }
    )


def _simulated(rates: Sequence[Rate], trials: Trials) -> Iterator[tuple[Rate, pd.DataFrame]]:
    """Each rate with its values; those that the configuration leaves out are named in the log."""
    for rate in rates:
        try:
            yield rate, rate.read(trials)
        except NotSimulatedError as error:
            print(f"left out: {rate.result}, {rate.says} ({error})")


def _bound(rate: Rate, values: pd.DataFrame, config: Mapping[str, Any]) -> Array:
    sizes = values.columns.to_numpy(dtype=float)
    return np.broadcast_to(np.asarray(rate.bound(config.get(rate.experiment, {}), sizes), dtype=float), sizes.shape)


def _row(rate: Rate, values: pd.DataFrame, config: Mapping[str, Any], level: float) -> dict[str, Any]:
    """What is measured of one rate, and what it says of the bound."""
    bound = _bound(rate, values, config)
    mean = float(values.iloc[:, -1].mean())
    unscaled = rate.measures == "growth" and isinstance(rate.bound, Power)
    row: dict[str, Any] = {
        "family": rate.family,
        "result": rate.result,
        "line": rate.line,
        "measured": rate.says,
        "departs": rate.departs,
        "axis": rate.axis,
        "measures": rate.measures,
        "control": rate.control,
        "trials": len(values),
        "sizes": len(values.columns),
        "mean": mean,
        "bound_over_measured": np.nan if unscaled or mean <= 0 else bound[-1] / mean,
    }
    if rate.measures == "level":
        level_row = level_of(values.iloc[:, -1], float(bound[-1]), level)
        excess = level_row.mean.estimate / bound[-1] - 1
        return row | {
            **level_row.mean._asdict(),
            "allowed": bound[-1],
            "excess": excess,
            "p_value": level_row.p_value,
            "found": level_row.found,
            "resolution": level_row.resolution,
        }
    measured = growth(values, bound, rng(0, "rates", rate.family, rate.result, rate.says, rate.axis), level)
    row |= {**measured.last._asdict(), "allowed": measured.last.estimate - measured.excess, "excess": measured.excess}
    row |= {"p_value": measured.p_value, "found": measured.found, "resolution": measured.resolution}
    for i, local in enumerate(measured.local, start=1):
        row |= {f"local_{i}": local.estimate, f"local_{i}_low": local.low, f"local_{i}_high": local.high}
    return row


def _measured(row: pd.Series) -> str:
    """All local exponents, and the last one over three sizes with its interval; or a value with its interval."""
    last = f"{short(row['estimate'], 2)} ({between(row['low'], row['high'], 2)})"
    local = [row[name] for name in row.index if name.startswith("local_") and name[6:].isdigit()]
    exponents = ", ".join(f"{slope:.2f}" for slope in local if np.isfinite(slope))
    return f"{exponents}; last {last}" if exponents else last
