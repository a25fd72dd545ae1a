"""
The intercept by running means: after each row the sums are those of the rows and responses less their means so far.

A row changes the centred sums by w W / (W + w) times the product of its differences to the means before it, where W is
the weight of these (Welford 1962, West 1979). So an estimator that is given these differences, with these weights,
holds at every round what it would hold had the rows been centred beforehand.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.rows import dense

ROWS = 256  # centred at a time: they are dense, even where the matrix is not


class Means(NamedTuple):
    """The weighted means of the rows so far."""

    weight: Floats  # (1,)
    x: Floats  # (d,)
    y: Floats  # (q,)


def no_means(dim: int, n_outputs: int) -> Means:
    """Those before the first row."""
    return Means(np.zeros(1), np.zeros(dim), np.zeros(n_outputs))


def copied(means: Means) -> Means:
    """Means that can be changed while the others stay."""
    return Means(*(part.copy() for part in means))


def centred(means: Means, X: Any, y: Floats, weights: Floats) -> Iterator[tuple[Floats, Floats, Floats]]:
    """The differences of rows, responses and the weights that they have, a few rows at a time; `means` follow."""
    for first in range(0, X.shape[0], ROWS):
        part = slice(first, first + ROWS)
        rows = np.array(dense(X[part]), order="C"), np.array(y[part]), np.array(weights[part])
        _centre(means, *rows)
        yield rows


@kernel
def _centre(means, X, y, weights):
    """In place."""
    for n in range(weights.size):
        weight, total = weights[n], means.weight[0] + weights[n]
        share = weight / total if weight > 0.0 else 0.0
        weights[n] = weight - weight * share
        for row, mean in ((X[n], means.x), (y[n], means.y)):
            for i in range(row.size):
                row[i] -= mean[i]
                mean[i] += share * row[i]
        means.weight[0] = total
