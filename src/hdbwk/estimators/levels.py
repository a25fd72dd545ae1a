"""
Which sparsity, where nobody knows s0: levels carried side by side are judged by the rows before they learn from them.

The error of a level is the mean of the squared one-step-ahead errors w (y - x'mu)^2 of its estimates (Dawid's
prequential principle). Later rows count for more, those of round k with (k / t)^2: in the first rounds all levels err,
and what they err by says little about the estimates of today.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from hdbwk.core.compiled import lean_kernel
from hdbwk.core.validation import Floats, positive_int
from hdbwk.estimators.online_ht.store import Integers

LEVELS = (2, 4, 8, 16, 32, 64)
FORGET = 2.0  # the exponent of k / t

Sparsity = int | Literal["auto"]


class Levels(NamedTuple):
    """The levels of q responses, and how each has fared."""

    sizes: Integers  # (L,)
    errors: Floats  # (q, L)     sums of w e^2, the older ones discounted
    judged: Floats  # (2,)       the same of w; rows judged so far
    best: Integers  # (q,)       the place of the level with the least error
    path: Integers  # (room, q)  the same after each round, as far as there is room


def one_level(size: int, n_outputs: int) -> Levels:
    """A level that is known, and need not be judged."""
    return _empty(np.array([size], dtype=np.int64), n_outputs)


def several_levels(levels: Sequence[int], dim: int, n_outputs: int) -> Levels:
    """Levels that are capped at d; none of them twice."""
    return _empty(np.unique(np.minimum(levels, dim)).astype(np.int64), n_outputs)


def _empty(sizes: Integers, n_outputs: int) -> Levels:
    return Levels(
        sizes=sizes,
        errors=np.zeros((n_outputs, sizes.size)),
        judged=np.zeros(2),
        best=np.zeros(n_outputs, dtype=np.int64),
        path=np.zeros((0, n_outputs), dtype=np.int64),
    )


def with_room(levels: Levels, rounds: int) -> Levels:
    """Make room for the path of so many rounds, where there is a choice."""
    room, n_outputs = levels.path.shape
    if rounds <= room or levels.sizes.size == 1:
        return levels
    path = np.zeros((max(rounds, room * 3 // 2), n_outputs), dtype=np.int64)
    path[:room] = levels.path
    return levels._replace(path=path)


def checked_levels(levels: Any) -> tuple[int, ...]:
    """The levels of `sparsity="auto"`: integers of at least 1, increasing."""
    if levels is None:
        return LEVELS
    if isinstance(levels, str) or not isinstance(levels, Sequence | np.ndarray) or len(levels) < 1:
        raise ValueError(f"levels = {levels!r} must be a list of integers of at least 1")
    sizes = tuple(positive_int(f"levels[{n}]", level) for n, level in enumerate(levels))
    if any(b <= a for a, b in pairwise(sizes)):
        raise ValueError(f"levels = {levels!r} must increase")
    return sizes


def faults_of_levels(sparsity: Any, levels: list[int] | None) -> Iterator[str]:
    """What is wrong with the levels of a configuration; "@" stands before the name of a key."""
    if levels is not None and sparsity != "auto":
        yield f"@levels = {levels} needs @sparsity = 'auto', found {sparsity!r}"
    if levels is not None and levels != sorted(levels):
        yield f"@levels = {levels} must increase"


def chosen_sizes(levels: Levels) -> Integers:
    """The level of each response, of shape (q,)."""
    return levels.sizes[levels.best]


def mean_errors(levels: Levels) -> Floats:
    """The mean squared one-step-ahead error of each level, of shape (q, L); NaN before the first row."""
    return levels.errors / levels.judged[0] if levels.judged[0] > 0 else np.full_like(levels.errors, np.nan)


@lean_kernel
def age(levels, weight):
    """A row of some weight is about to be judged: what was before counts for less."""
    levels.judged[1] += 1.0
    share = max(1.0 - FORGET / levels.judged[1], 0.0)
    levels.judged[0] = share * levels.judged[0] + weight
    for k in range(levels.errors.shape[0]):
        for n in range(levels.errors.shape[1]):
            levels.errors[k, n] *= share


@lean_kernel
def choose(levels):
    """The level of least error; of equal ones, the smaller."""
    for k in range(levels.errors.shape[0]):
        best = 0
        for n in range(1, levels.errors.shape[1]):
            if levels.errors[k, n] < levels.errors[k, best]:
                best = n
        levels.best[k] = best


@lean_kernel
def note_path(levels, t):
    """Keep what was chosen after round t."""
    if t <= levels.path.shape[0]:
        for k in range(levels.best.size):
            levels.path[t - 1, k] = levels.best[k]
