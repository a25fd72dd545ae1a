"""Tidy tables on disk: parquet with its origin in the metadata, written whole or not at all."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from hdbwk.core.files import atomic

ORIGIN = b"hdbwk"  # the key of the parquet metadata that holds the origin as JSON
REPAIR = "delete it and run again"
COPIED = "or delete its whole folder if that was copied from another run"


def write_table(table: pd.DataFrame, path: str | Path, origin: Mapping[str, Any]) -> None:
    """Write a table with its origin (seed, version, configuration hash, ...) in the file's metadata."""
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    metadata = json.dumps({**origin, "rows": _fingerprint(arrow.to_pandas(ignore_metadata=True))})
    arrow = arrow.replace_schema_metadata({**arrow.schema.metadata, ORIGIN: metadata.encode()})
    with atomic(path) as temporary:
        pq.write_table(arrow, temporary)


def read_origin(path: str | Path) -> dict[str, Any]:
    """Return a table's origin without its rows; ValueError with the file's name if it is not one of ours."""
    with _reading(path):
        metadata = pq.read_schema(path).metadata or {}
        origin = json.loads(metadata.get(ORIGIN, b"{}"))
    if not isinstance(origin, dict) or not origin:
        raise ValueError(f"{path} was not written by hdbwk (its origin is missing); {REPAIR}")
    return origin


def read_table(path: str | Path, expected: Mapping[str, Any]) -> tuple[pd.DataFrame, dict[str, Any]]:
    """
    Return a table and its origin; ValueError with the file's name if it is damaged or from elsewhere.

    Parameters
    ----------
    path : path
    expected : mapping
        What the table must say of its origin: seed, version and configuration of the run that reads it.
    """
    origin = read_origin(path)
    for key, value in expected.items():
        if origin.get(key) != value:
            raise ValueError(f"{path} has {key} = {origin.get(key)!r}, this run has {value!r}; {REPAIR}, {COPIED}")
    with _reading(path), pq.ParquetFile(path) as file:
        table = file.read().to_pandas(ignore_metadata=True)
    if origin.pop("rows", None) != _fingerprint(table):
        raise ValueError(f"{path} does not hold the rows that were written to it; {REPAIR}")
    return table, origin


def read_trials(paths: Iterable[str | Path], origins: Mapping[str, Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """
    The tables of all trials by experiment, each with a column of the seconds that all its trials took.

    Parameters
    ----------
    paths : iterable of paths
        Named EXPERIMENT/trials.parquet.
    origins : mapping
        What the table of each experiment must say of its origin.
    """
    trials = {}
    for path in map(Path, paths):
        name = path.parent.name
        table, origin = read_table(path, origins[name])
        trials[name] = table.assign(seconds=origin["seconds"])
    return trials


class Chunk(NamedTuple):
    """What a chunk must be: its origin, its trials, and the number below which trials have longer horizons."""

    origin: Mapping[str, Any]
    trials: Sequence[int]
    longer: int = 0


def merge_chunks(chunks: Mapping[Path, Chunk]) -> pd.DataFrame:
    """
    Join the chunks of an experiment into one table, sorted by method, trial and round.

    A chunk that is damaged, comes from another configuration, seed, version or method, holds a number that is not
    finite, or lacks or doubles a trial, a round or a column is refused with its name.

    Parameters
    ----------
    chunks : mapping
        What the file at each path must be.
    """
    tables = {path: read_table(path, chunk.origin)[0] for path, chunk in chunks.items()}
    for path, table in tables.items():
        for fault in _faults(table, chunks[path]):
            raise ValueError(f"{path} {fault}; {REPAIR}")
    for long in (True, False):
        parts = {path: table[(table["trial"] < chunks[path].longer) == long] for path, table in tables.items()}
        _check_alike({path: part for path, part in parts.items() if len(part)})
    merged = pd.concat(tables.values())
    return merged.sort_values(["method", *_place(merged)], ignore_index=True)


def _faults(table: pd.DataFrame, chunk: Chunk) -> Iterator[str]:
    """What is wrong with the rows of a chunk."""
    missing = {"method", "trial", "t"} - set(table)
    if missing:
        yield f"has no column {', '.join(sorted(missing))}"
        return
    numbers = table.drop(columns="method")
    if len(numbers.select_dtypes(["number", "bool"]).columns) < len(numbers.columns):
        yield "holds something that is not a number"
    elif not np.isfinite(numbers.astype(float)).all(axis=None):
        yield "holds a number that is not finite"
    if set(table["method"]) != {chunk.origin["method"]}:
        yield f"holds rows of other methods than {chunk.origin['method']}"
    if set(table["trial"]) != set(chunk.trials):
        yield f"holds the trials {sorted(set(table['trial'].tolist()))}, not {list(chunk.trials)}"
    if table.duplicated(_place(table)).any():
        yield "holds a round of a trial twice"
    sizes = table.groupby("trial").size()
    rounds = set(zip((sizes.index < chunk.longer).tolist(), sizes.tolist(), strict=True))
    if len(rounds) > len({long for long, _ in rounds}):
        yield "holds fewer rounds of some trials than of others"


def _check_alike(tables: Mapping[Path, pd.DataFrame]) -> None:
    """Refuse a chunk whose trials are not read as those of most others."""
    shapes = {path: _shape(table) for path, table in tables.items()}
    for path, shape in shapes.items():
        if shape != Counter(shapes.values()).most_common(1)[0][0]:
            raise ValueError(f"{path} does not have the columns and rounds of the other chunks; {REPAIR}")


def _place(table: pd.DataFrame) -> list[str]:
    """The columns that say where in a method's runs a row was read."""
    return [column for column in ("trial", "size", "horizon", "t") if column in table]


def _shape(table: pd.DataFrame) -> tuple[Any, ...]:
    """Columns, and the rounds at which a trial is read."""
    rounds = table[_place(table)[1:]].drop_duplicates().sort_values(_place(table)[1:])
    return tuple(table.columns), rounds.to_numpy(dtype=float).tobytes()


@contextmanager
def _reading(path: str | Path) -> Iterator[None]:
    """Turn whatever a damaged file makes of its reader into a ValueError with the file's name."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{path} is not a readable parquet file ({error}); {REPAIR}") from error


def _fingerprint(table: pd.DataFrame) -> str:
    """A hash of names, types and values: it changes with damage that parquet does not notice."""
    hasher = hashlib.sha256()
    for name, column in table.items():
        values = column.to_numpy()
        numeric = values.dtype.kind in "biuf"
        hasher.update(f"{name} {values.dtype if numeric else 'text'} {len(values)}\n".encode())
        hasher.update(values.tobytes() if numeric else json.dumps(values.tolist()).encode())
    return hasher.hexdigest()[:16]
