"""All comparisons as one tidy table."""

from collections.abc import Iterator

import pandas as pd

from benchmarks.comparison import equal_time, memory, resolves, rounds
from benchmarks.comparison.sizes import Sizes

COLUMNS = ["comparison", "contender", "t", "d", "seconds", "error", "gap", "megabytes", "estimates", "note"]


def compare(sizes: Sizes | None = None) -> pd.DataFrame:
    """A row for each contender and size; `note` says why where nothing was measured."""
    return pd.DataFrame(_rows(sizes or Sizes())).reindex(columns=COLUMNS)


def _rows(sizes: Sizes) -> Iterator[rounds.Row]:
    rounds.warm_up()
    yield from rounds.over_rounds(sizes)
    yield from rounds.over_dimensions(sizes)
    yield from equal_time.equal_time(sizes)
    yield from memory.memory(sizes)
    yield from resolves.dual_rows(sizes)
