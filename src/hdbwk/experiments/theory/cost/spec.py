"""Section 4, complexity: what a round of an estimator costs, early and late in a stream."""

from collections.abc import Iterator

from hdbwk.experiments.regression import Regression


class Cost(Regression):
    """Processor seconds for a round of an estimator, `read_every` rounds at a time, at T/16, T/8, ..., T."""

    kind = seeds = "cost"

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.read_every >= self.horizon // 16:
            yield f"@read_every = {self.read_every} must be below a sixteenth of @horizon = {self.horizon}"
