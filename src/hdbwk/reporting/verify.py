"""Compare what was made with what is committed, file by file: `make verify`."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

TIMED = ("bench.", "fig5_speed.")  # what a benchmark measures differs from run to run
ROUNDING = 1e-5  # relative: the tables hold six digits


def main(folder: str = "figures") -> int:
    """Print a line for each committed file of a folder; 1 if one was not reproduced."""
    lines = {name: difference(Path(name), _committed(name)) for name in _names(folder)}
    for name, line in lines.items():
        print(f"{name}: {line or 'the same'}")
    failed = [name for name, line in lines.items() if line and Path(name).suffix in (".csv", ".md")]
    print(f"{len(lines) - len(failed)} of {len(lines)} files are reproduced" + _unlike(failed))
    return int(bool(failed))


def difference(path: Path, committed: bytes) -> str:
    """What differs, nothing if nothing does; numbers may differ in the last digit, as machines round differently."""
    if not path.exists():
        return "was not made"
    made = path.read_bytes()
    if made == committed:
        return ""
    if path.suffix != ".csv":
        return "differs"
    first, second = (_untimed(pd.read_csv(io.BytesIO(content))) for content in (committed, made))
    if first.shape != second.shape or list(first) != list(second):
        return f"has {second.shape[0]} rows and {second.shape[1]} columns, not {first.shape[0]} and {first.shape[1]}"
    return _in_numbers(first, second)


def _untimed(table: pd.DataFrame) -> pd.DataFrame:
    """A table without the panel of its figure that shows times."""
    return table[table["panel"] != "time"].reset_index(drop=True) if "panel" in table else table


def _in_numbers(first: pd.DataFrame, second: pd.DataFrame) -> str:
    """The columns that differ, with the largest relative difference."""
    parts = []
    for column in first:
        a, b = first[column], second[column]
        if a.dtype == float and b.dtype == float:
            scale = a.abs().clip(lower=b.abs()).replace(0, 1)
            largest = float(((a - b).abs() / scale).max()) if a.isna().equals(b.isna()) else np.inf
            parts += [f"{column} by up to {largest:.2g}"] if largest > ROUNDING else []
        elif not a.equals(b):
            parts.append(f"{column} in {int((a.astype(str) != b.astype(str)).sum())} rows")
    return "differs in " + ", ".join(parts) if parts else ""


def _names(folder: str) -> list[str]:
    names = _git("ls-files", "--", folder).decode().splitlines()
    return [name for name in names if not Path(name).name.startswith(TIMED)]


def _committed(name: str) -> bytes:
    return _git("show", f"HEAD:./{name}")


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout


def _unlike(names: list[str]) -> str:
    return f"; not {', '.join(names)}" if names else ""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
