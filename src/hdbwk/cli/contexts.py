"""Contexts from a user's file."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd


def read_contexts(path: Path) -> pd.DataFrame:
    """The numeric columns of a table; which others were left out is said on stderr."""
    if path.suffix not in (".csv", ".parquet"):
        raise ValueError(f"{path} must end in .csv or .parquet")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        table = _read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    numbers = table.select_dtypes("number")
    if numbers.empty:
        raise ValueError(f"{path} has no rows with numbers")
    left_out = [column for column in table if column not in numbers]
    for column in left_out:
        _refuse_single_words(path, column, table[column])
    if left_out:
        print(f"left out, no numbers: {', '.join(map(str, left_out))}", file=sys.stderr)
    missing = numbers.columns[numbers.isna().any()]
    if len(missing):
        raise ValueError(f"{path} has missing values in {', '.join(map(str, missing))}")
    return numbers


def _read_csv(path: Path) -> pd.DataFrame:
    """A first line of numbers is a context, unless it counts the columns, as pandas writes it."""
    first = pd.to_numeric(pd.read_csv(path, header=None, nrows=1).iloc[0], errors="coerce").to_numpy()
    counts = np.array_equal(first, np.arange(first.size)) or np.array_equal(first, 1 + np.arange(first.size))
    return pd.read_csv(path, header="infer" if counts or np.isnan(first).any() else None)


def _refuse_single_words(path: Path, column: object, cells: pd.Series) -> None:
    """A column of numbers with a few words in it has errors; one of words, dates or truths is left out."""
    if not pd.api.types.is_string_dtype(cells):
        return
    words = pd.to_numeric(cells, errors="coerce").isna() & cells.notna()
    if 0 < words.mean() < 0.5:
        row = int(np.argmax(words))
        raise ValueError(f"{path}: {cells.iloc[row]!r} in row {row + 1} of column {column} is no number")
