"""Section 4, complexity: what a round of an estimator costs, early and late in a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from hdbwk.experiments.regression import Regression

if TYPE_CHECKING:
    import pandas as pd


class Cost(Regression):
    """Processor seconds for a round of an estimator, `read_every` rounds at a time, at T/16, T/8, ..., T."""

    kind = seeds = "cost"

    @property
    def run(self) -> Callable[..., pd.DataFrame]:
        from hdbwk.experiments.theory.cost.trial import run

        return partial(run, self)

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.read_every >= self.horizon // 16:
            yield f"@read_every = {self.read_every} must be below a sixteenth of @horizon = {self.horizon}"
