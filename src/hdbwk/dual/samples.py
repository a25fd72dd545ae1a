"""The samples of the dual: contexts by rows and by columns, and what the sifting loop remembers of each."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.scores import Scores

FREE = -1  # the "fixed arm" of a sample in the working set
NO_ARM, ALL_ARMS = -1, -2  # what `also` may be beside an arm
PADDING = 24  # keeps the columns away from strides of a power of two, which thrash the cache


class Samples(NamedTuple):
    """Arrays with one entry per sample, filled up to the number of samples in use."""

    rows: np.ndarray  # (capacity, d) contexts, to read one sample
    columns: np.ndarray  # (d, capacity + padding) contexts, to score all samples
    scores: Scores
    fixed: np.ndarray  # the arm a sample is fixed to: 0..K-1, K for the null arm, or FREE
    also: np.ndarray  # an arm that a working sample keeps beside the nearly tied ones, or NO_ARM, ALL_ARMS
    best_arm: np.ndarray  # in the last pass
    second_arm: np.ndarray
    margin: np.ndarray  # best score minus second best, in the last pass
    settled_margin: np.ndarray  # the margin when the sample was last fixed


def allocate(capacity: int, dim: int, n_arms: int) -> Samples:
    """Room for `capacity` samples, all of them free."""
    return Samples(
        rows=np.zeros((capacity, dim)),
        columns=np.zeros((dim, capacity + PADDING)),
        scores=Scores(
            net=np.zeros((n_arms, dim)),
            scored=np.zeros(n_arms, dtype=np.int64),
            values=np.zeros((n_arms, capacity + PADDING)),
        ),
        fixed=np.full(capacity, FREE),
        also=np.full(capacity, NO_ARM),
        best_arm=np.zeros(capacity, dtype=np.int64),
        second_arm=np.zeros(capacity, dtype=np.int64),
        margin=np.zeros(capacity),
        settled_margin=np.zeros(capacity),
    )


def enlarge(samples: Samples, used: int, needed: int) -> Samples:
    """At least twice the room, with the first `used` samples copied."""
    capacity, dim = samples.rows.shape
    larger = allocate(max(2 * capacity, needed), dim, samples.scores.scored.size)
    larger.columns[:, :used] = samples.columns[:, :used]
    for name in ("rows", "fixed", "also", "best_arm", "second_arm", "margin", "settled_margin"):
        getattr(larger, name)[:used] = getattr(samples, name)[:used]
    return larger


@kernel
def append(samples, weight, used, contexts):
    """Store contexts after the first `used` ones, and add their absolute values to `weight`."""
    for j in range(contexts.shape[0]):
        for k in range(contexts.shape[1]):
            samples.rows[used + j, k] = contexts[j, k]
            samples.columns[k, used + j] = contexts[j, k]
            weight[k] += abs(contexts[j, k])
