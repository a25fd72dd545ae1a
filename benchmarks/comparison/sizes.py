"""The sizes of the comparison, and the data of Figure 1 at any of them."""

from dataclasses import dataclass

import numpy as np

from hdbwk import rng
from hdbwk.environments import RecoveryInstance, RecoveryStream

SPARSITY, WORKING = 10, 20  # s0 and s


@dataclass(frozen=True)
class Sizes:
    """What is measured; the defaults are those of `make bench`."""

    dim: int = 1000  # while t grows
    rounds: tuple[int, ...] = (100, 200, 500, 1000, 2000, 4000)
    round: int = 500  # while d grows
    dims: tuple[int, ...] = (300, 1000, 3000, 10_000)
    horizon: int = 1000  # of the run at equal time
    memory_dim: int = 5000
    resolves: tuple[int, ...] = (100, 300, 1000, 3000)  # rounds of Algorithm 4
    window: int = 100  # most rounds that a mean is taken over
    enough: float = 0.3  # seconds after which a mean has seen enough rounds
    patience: float = 8.0  # seconds: what would take longer is left out


def recovery(dim: int, rounds: int) -> tuple[np.ndarray, RecoveryStream]:
    """The parameter and the rows of a trial of Section 8.1: correlated contexts, noise 0.5."""
    instance = RecoveryInstance.draw(rng(1, "comparison"), dim, min(SPARSITY, dim))
    return instance.mu, instance.sample(rounds, rng(1, "comparison stream"))
