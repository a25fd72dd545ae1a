"""Contexts from a user's file."""

import sys
from pathlib import Path

import pandas as pd


def read_contexts(path: Path) -> pd.DataFrame:
    """The numeric columns of a table; which others were left out is said on stderr."""
    if path.suffix not in (".csv", ".parquet"):
        raise ValueError(f"{path} must end in .csv or .parquet")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        table = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    numbers = table.select_dtypes("number")
    if numbers.empty:
        raise ValueError(f"{path} has no rows with numbers")
    left_out = [str(column) for column in table if column not in numbers]
    if left_out:
        print(f"left out, no numbers: {', '.join(left_out)}", file=sys.stderr)
    missing = numbers.columns[numbers.isna().any()]
    if len(missing):
        raise ValueError(f"{path} has missing values in {', '.join(map(str, missing))}")
    return numbers
