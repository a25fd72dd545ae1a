"""The tables of `make bench` for people: machine, bars, comparison."""

import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pandas as pd

from benchmarks.bars import Bar
from hdbwk.reporting.tables import markdown

LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn", "celer", "skglm", "abess", "cvxpy", "highspy")


def bar_table(bars: Sequence[Bar]) -> pd.DataFrame:
    """The bars with the columns bar, target, measured, holds."""
    rows = [(bar.name, bar.target, bar.measured, "yes" if bar.holds else "NO") for bar in bars]
    return pd.DataFrame(rows, columns=["bar", "target", "measured", "holds"])


def bench_page(bars: pd.DataFrame, table: pd.DataFrame) -> str:
    """Everything on one page."""
    return f"{machine()}\n\n{markdown(bars)}\n{comparison_tables(table)}"


def machine() -> str:
    """Processor, Python and library versions, in one line."""
    libraries = ", ".join(f"{name} {installed(name)}" for name in LIBRARIES)
    return f"{processor()}, {os.cpu_count()} cores, one thread; Python {platform.python_version()}; {libraries}"


def installed(name: str) -> str:
    """The version of a library."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def processor() -> str:
    """The model of the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def comparison_tables(table: pd.DataFrame) -> str:
    """Each comparison with a sentence on what it shows."""
    over_t, over_d, equal = (table[table["comparison"] == name] for name in ("t", "d", "equal time"))
    estimates, memory, dual = (table[table["comparison"] == name] for name in ("estimates", "memory", "dual"))
    change = table[table["comparison"] == "change"].iloc[0]
    fixed_d, fixed_t = over_t["d"].iloc[0], over_d["t"].iloc[0]
    clock, horizon = estimates["seconds"].iloc[0], estimates["t"].iloc[0]
    readings = [t for t in (50, 100, 200, 500, 1000) if t in set(equal["t"])]
    held = wide(equal[equal["t"].isin(readings)], "t", "error", "{:.2g}")
    counts = estimates.set_index("contender")["estimates"]
    held.insert(1, "estimates", [f"{counts[name]:.0f}" if name in counts else "" for name in held["contender"]])
    size = f"d = {memory['d'].iloc[0]}, t = {memory['t'].iloc[0]}"
    parts = [
        (
            f"Milliseconds of a round (median) against t, d = {fixed_d}; once, at t = {change['t']}, auto goes over to "
            f"the matrix, which takes {milliseconds(change['seconds'])} ms",
            wide(over_t, "t", "seconds", milliseconds),
        ),
        (f"Squared error after round t, d = {fixed_d}", wide(over_t, "t", "error", "{:.2g}")),
        (
            f"Milliseconds of a round (median) against d, t = {fixed_t} (left out: all earlier rounds and those "
            "that are timed would take too long for this table)",
            wide(over_d, "d", "seconds", milliseconds),
        ),
        (f"Squared error after round t = {fixed_t} against d", wide(over_d, "d", "error", "{:.2g}")),
        (
            f"Squared error held at round t when all have the {clock:.2g} s that ours needs for {horizon} rounds, and "
            "give as many estimates as they can (one trial)",
            held,
        ),
        (f"Peak memory beside the data, MB, {size}", wide(memory, "d", "megabytes", "{:.0f}")),
        (
            "Milliseconds per re-solve of the dual at round t (warm: from the last round to a certified gap of 0.1/t, "
            "as in Algorithm 4; the others from nothing)",
            wide(dual, "t", "seconds", milliseconds),
        ),
        ("Gap of that solution to the certified optimum, relative to the rewards", wide(dual, "t", "gap", "{:.0e}")),
    ]
    return "\n".join(f"{title}:\n\n{markdown(part)}" for title, part in parts)


def milliseconds(seconds: float) -> str:
    """Two or three digits."""
    return f"{1e3 * seconds:.2f}" if seconds < 0.01 else f"{1e3 * seconds:,.0f}"


def wide(table: pd.DataFrame, columns: str, values: str, form: str | Callable[[float], str]) -> pd.DataFrame:
    """A row for each contender, a column for each size; where there is no value, the note."""
    show = form if callable(form) else form.format
    texts = [show(value) if pd.notna(value) else note for value, note in zip(table[values], table["note"], strict=True)]
    sizes = [f"{columns} = {size}" for size in table[columns]]
    tidy = pd.DataFrame({"contender": table["contender"], "size": sizes, "cell": texts})
    cells = tidy.pivot_table(index="contender", columns="size", values="cell", aggfunc="first", sort=False)
    return cells.fillna("").reset_index().rename_axis(None, axis=1)
