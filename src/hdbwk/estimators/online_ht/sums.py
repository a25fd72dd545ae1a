"""Sums of rows of a matrix, each times a factor. By two indices: a view costs numba two atomic operations."""

from hdbwk.core.compiled import lean_kernel


@lean_kernel
def add_four(matrix, j0, j1, j2, j3, f0, f1, f2, f3, first, out):
    """Add four rows, from their entry `first` on."""
    for i in range(out.size):
        k = first + i
        out[i] += (f0 * matrix[j0, k] + f1 * matrix[j1, k]) + (f2 * matrix[j2, k] + f3 * matrix[j3, k])


@lean_kernel
def add_one(matrix, j, factor, first, out):
    """Add one row, from its entry `first` on."""
    for i in range(out.size):
        out[i] += factor * matrix[j, first + i]


@lean_kernel
def inner(rows, k, support, v):
    """Row k times v, for v supported on `support`."""
    total = 0.0
    for j in support:
        total += rows[k, j] * v[j]
    return total
