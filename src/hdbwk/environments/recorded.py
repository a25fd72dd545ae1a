"""Streams from data: contexts of real cases, and what every arm would have given and consumed."""

from typing import Any

import numpy as np
import pandas as pd

from hdbwk.core.validation import Floats
from hdbwk.environments.bandit import BanditStream
from hdbwk.environments.cbwk import CBwKStream


def recorded_stream(
    contexts: Any, rewards: Any, consumptions: Any = None, rho: Any = None
) -> BanditStream | CBwKStream:
    """
    Make a stream of recorded cases, in the order of their rows; what they gave counts as its own mean.

    Parameters
    ----------
    contexts : DataFrame or array of shape (T, d)
        What is known before the choice; numbers without gaps, see `encode`.
    rewards : array of shape (T, K)
        What each arm gave, or would have.
    consumptions : array of shape (T, K, m), optional
        What each arm consumed of each resource, not negative.
    rho : array of shape (m,), optional
        Capacity for each case, positive; needed with `consumptions`.

    Examples
    --------
    >>> stream = recorded_stream([[1.0, 0.5], [1.0, -0.5]], [[1, 0], [0, 1]])
    >>> len(stream), stream.n_arms
    (2, 2)
    """
    names = list(contexts.columns) if isinstance(contexts, pd.DataFrame) else None
    X = _finite("contexts", contexts, 2, names)
    given = _finite("rewards", rewards, 2)
    if len(given) != len(X):
        raise ValueError(f"rewards has {len(given)} rows, contexts has {len(X)}")
    if consumptions is None:
        if rho is not None:
            raise ValueError("rho needs consumptions of shape (T, K, m)")
        return BanditStream(X, given, given)
    consumed = _finite("consumptions", consumptions, 3)
    if consumed.shape[:2] != given.shape:
        raise ValueError(f"consumptions has shape {consumed.shape}, expected {given.shape} and one for each resource")
    if (consumed < 0).any():
        raise ValueError(f"consumptions has an entry {consumed.min():g}, which must be at least 0")
    return CBwKStream(X, given, given, consumed, consumed, _capacities(rho, consumed.shape[2]))


def _capacities(rho: Any, n_resources: int) -> Floats:
    if rho is None:
        raise ValueError("consumptions needs rho: the capacity of each resource for each case")
    capacities = _finite("rho", rho, 1)
    if capacities.size != n_resources:
        raise ValueError(f"rho has {capacities.size} entries, consumptions has {n_resources} resources")
    if (capacities <= 0).any():
        place = int(np.argmin(capacities))
        raise ValueError(
            f"rho[{place}] = {capacities[place]:g} must be positive: leave out arms that need what is not there"
        )
    return capacities


def _finite(name: str, value: Any, ndim: int, columns: list[str] | None = None) -> Floats:
    """The value as floats; ValueError that names the first place without a finite number."""
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} has entries that are not numbers: {error}; see `encode`") from None
    if array.ndim != ndim:
        raise ValueError(f"{name} has shape {array.shape}, expected {ndim} dimensions")
    if not np.isfinite(array).all():
        place = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        column = f" (column {columns[place[1]]!r})" if columns else ""
        raise ValueError(f"{name}{list(place)}{column} = {array[place]} must be a finite number; see `encode`")
    return array


def encode(table: pd.DataFrame, numeric: list[str], categorical: list[str], least: int = 10) -> pd.DataFrame:
    """
    Make numbers of a table: contexts with a constant, for linear estimates.

    Numeric columns are brought to mean 0 and standard deviation 1, and gaps in them to 0; categorical ones to a column
    for each value. A value, or a gap, that occurs fewer than `least` times has no column.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [30.0, 50.0, None], "sex": ["f", "m", "f"]})
    >>> list(encode(table, ["age"], ["sex"], least=1))
    ['constant', 'age', 'age: missing', 'sex: f', 'sex: m']
    """
    for column in (*numeric, *categorical):
        if column not in table:
            raise ValueError(f"the table has no column {column!r}; it has {', '.join(map(repr, table.columns))}")
    parts: dict[str, Any] = {"constant": np.ones(len(table))}
    for column in numeric:
        parts |= _numbers(column, table[column], least)
    for column in categorical:
        values = table[column].astype("string").str.strip().fillna("missing")
        counts = values.value_counts()
        parts |= {f"{column}: {v}": values.eq(v).astype(float) for v in sorted(counts[counts >= least].index)}
    return pd.DataFrame({name: np.asarray(part, dtype=float) for name, part in parts.items()}, index=table.index)


def _numbers(column: str, values: pd.Series, least: int) -> dict[str, Any]:
    try:
        numbers = values.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {column!r} is not numeric: {error}; is it categorical?") from None
    spread = numbers.std(ddof=0)
    if not spread > 0:
        raise ValueError(f"column {column!r} has the same value in all rows, or none: leave it out")
    parts = {column: ((numbers - numbers.mean()) / spread).fillna(0.0)}
    if numbers.isna().sum() >= least:
        parts[f"{column}: missing"] = numbers.isna()
    return parts
