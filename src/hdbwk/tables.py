"""Tidy tables on disk: parquet with its origin in the metadata, written whole or not at all."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

ORIGIN = b"hdbwk"  # the key of the parquet metadata that holds the origin as JSON


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; it takes the place of `path` only if the block succeeds."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_table(table: pd.DataFrame, path: str | Path, origin: Mapping[str, Any]) -> None:
    """Write a table with its origin (seed, version, configuration hash, ...) in the file's metadata."""
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    arrow = arrow.replace_schema_metadata({**arrow.schema.metadata, ORIGIN: json.dumps(origin).encode()})
    with atomic(path) as temporary:
        pq.write_table(arrow, temporary)


def write_csv(table: pd.DataFrame, path: str | Path) -> None:
    """Write a table of a few significant digits for people to read."""
    with atomic(path) as temporary:
        table.to_csv(temporary, index=False, float_format="%.6g")


def write_text(text: str, path: str | Path) -> None:
    """Write a text."""
    with atomic(path) as temporary:
        temporary.write_text(text)


def read_origin(path: str | Path) -> dict[str, Any]:
    """Return a table's origin without its rows; ValueError with the file's name if it is not one of ours."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (pa.ArrowInvalid, OSError) as error:
        raise ValueError(f"{path} is not a readable parquet file ({error}); delete it and run again") from error
    if ORIGIN not in metadata:
        raise ValueError(f"{path} was not written by hdbwk (its origin is missing); delete it and run again")
    return json.loads(metadata[ORIGIN])


def read_table(path: str | Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a table and its origin."""
    origin = read_origin(path)
    return pd.read_parquet(path), origin


def merge_chunks(paths: Iterable[str | Path], origins: Mapping[str, Mapping[str, Any]], trials: int) -> pd.DataFrame:
    """
    Join the chunks of an experiment into one table, sorted by method, trial and round.

    A chunk that comes from another configuration, seed or version, holds a number that is not finite, or
    leaves the set of trials incomplete or doubled is refused with its name.

    Parameters
    ----------
    paths : iterable of paths
    origins : mapping
        What each method's chunks must say of their origin.
    trials : int
        Each method must come with the trials 0..trials-1.
    """
    tables = []
    for path in paths:
        table, found = read_table(path)
        _check_chunk(path, table, found, origins)
        tables.append(table)
    merged = pd.concat(tables)
    place = [column for column in ("trial", "horizon", "t") if column in merged]
    merged = merged.sort_values(["method", *place], ignore_index=True)
    for method in origins:
        rows = merged[merged["method"] == method]
        if set(rows["trial"]) != set(range(trials)) or rows.duplicated(place).any():
            raise ValueError(f"the chunks of {method} do not hold each of the trials 0..{trials - 1} once")
    return merged


def _check_chunk(path: str | Path, table: pd.DataFrame, found: dict[str, Any], origins: Mapping) -> None:
    expected = origins.get(found.get("method", ""), {"method": f"one of {', '.join(origins)}"})
    for key, value in expected.items():
        if found.get(key) != value:
            raise ValueError(
                f"{path} has {key} = {found.get(key)!r}, this run has {value!r}; delete the file and run again"
            )
    if not np.isfinite(table.select_dtypes("number")).all(axis=None):
        raise ValueError(f"{path} holds a number that is not finite; delete the file and run again")
