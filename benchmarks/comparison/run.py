"""All comparisons as one tidy table."""

from collections.abc import Iterator

import pandas as pd

from benchmarks.bars import with_progress
from benchmarks.comparison import equal_time, memory, resolves, rounds
from benchmarks.comparison.sizes import Sizes

COLUMNS = ["comparison", "contender", "t", "d", "seconds", "error", "gap", "megabytes", "estimates", "note"]


def compare(sizes: Sizes | None = None) -> pd.DataFrame:
    """A row for each contender and size; `note` says why where nothing was measured."""
    return pd.DataFrame(_rows(sizes or Sizes())).reindex(columns=COLUMNS)


def _rows(sizes: Sizes) -> Iterator[rounds.Row]:
    rounds.warm_up()
    over = (rounds.over_rounds, rounds.change_of_store, rounds.over_dimensions)
    parts = (*over, equal_time.equal_time, memory.memory, resolves.dual_rows)
    for part in parts:
        yield from with_progress(part.__name__, lambda part=part: list(part(sizes)))
