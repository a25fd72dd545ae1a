"""Least squares on a few coordinates, from the sums that a store keeps."""

import math

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.estimators.online_ht.store import entry

SINGULAR = 1e-15  # the least square of a pivot: columns that are equal but for rounding


@kernel
def least_squares(store, arm, diagonal, moment, support, ridge):
    """
    The coefficients on the support, and by how much they lower the sum of squares and ridge.

    The system is that of columns scaled to length 1, with `ridge` more on the diagonal, solved by Cholesky's factors.
    """
    size, lengths = support.size, np.sqrt(diagonal[support])
    factor, solution = np.empty((size, size)), np.empty(size)
    for a in range(size):
        for b in range(a):
            factor[a, b] = entry(store, arm, support[a], support[b]) / lengths[a] / lengths[b]
        factor[a, a] = 1.0 + ridge
        solution[a] = moment[support[a]] / lengths[a]
    _factorise(factor)
    gain = _solve(factor, solution)
    for a in range(size):
        solution[a] /= lengths[a]
    return solution, gain


@kernel
def _factorise(matrix):
    """The lower Cholesky factor, in place."""
    for a in range(matrix.shape[0]):
        for b in range(a + 1):
            total = matrix[a, b]
            for k in range(b):
                total -= matrix[a, k] * matrix[b, k]
            matrix[a, b] = total / matrix[b, b] if b < a else math.sqrt(max(total, SINGULAR))


@kernel
def _solve(factor, v):
    """Solve L L' u = v in place; returns v' u."""
    gain = 0.0
    for a in range(v.size):
        for k in range(a):
            v[a] -= factor[a, k] * v[k]
        v[a] /= factor[a, a]
        gain += v[a] * v[a]
    for a in range(v.size - 1, -1, -1):
        for k in range(a + 1, v.size):
            v[a] -= factor[k, a] * v[k]
        v[a] /= factor[a, a]
    return gain
