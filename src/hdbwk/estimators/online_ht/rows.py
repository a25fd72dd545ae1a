"""
What a pass asks of its rows: a matrix, or scipy's csr form of one, of which it reads the entries that are stored.

The functions from `count` to `add_squares` have no bodies; numba chooses what does their work when it compiles a kernel
for one kind of rows.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.extending import overload
from scipy.sparse import csr_array, issparse

from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.store import Integers

INLINED = {"forceinline": True}


class SparseRows(NamedTuple):
    """A matrix in csr form."""

    start: Integers  # (n + 1,)  where each row begins
    places: Integers  # (nnz,)   coordinates
    values: Floats  # (nnz,)     entries


class SparseRow(NamedTuple):
    """One of its rows."""

    places: Integers
    values: Floats


def sparse_rows(X: Any) -> SparseRows:
    """A matrix, dense or sparse, in the one form that kernels know."""
    X = csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return SparseRows(X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data)


def dense(X: Any) -> Floats:
    """A few rows as a matrix."""
    return X.toarray() if issparse(X) else X


def count(X):
    """The number of rows."""


def row(X, n):
    """Row n."""


def dot(x, v):
    """x'v for a row x."""


def fitted(x, v, support):
    """x'v for a row x, and v with a support."""


def add_to(out, factor, x):
    """out += factor x."""


def add_squares(out, root, x):
    """out += (root x)^2, entry by entry."""


@overload(count, jit_options=INLINED)
def _count(X):
    if isinstance(X, types.Array):
        return lambda X: X.shape[0]
    return lambda X: X.start.size - 1


@overload(row, jit_options=INLINED)
def _row(X, n):
    if isinstance(X, types.Array):
        return lambda X, n: X[n]
    return lambda X, n: SparseRow(X.places[X.start[n] : X.start[n + 1]], X.values[X.start[n] : X.start[n + 1]])


@overload(dot, jit_options=INLINED)
def _dot(x, v):
    def of_dense(x, v):
        total = 0.0
        for i in range(x.size):
            total += x[i] * v[i]
        return total

    def of_sparse(x, v):
        total = 0.0
        for n in range(x.places.size):
            total += x.values[n] * v[x.places[n]]
        return total

    return of_dense if isinstance(x, types.Array) else of_sparse


@overload(fitted, jit_options=INLINED)
def _fitted(x, v, support):
    def of_dense(x, v, support):
        total = 0.0
        for j in support:
            total += x[j] * v[j]
        return total

    def of_sparse(x, v, support):
        return dot(x, v)

    return of_dense if isinstance(x, types.Array) else of_sparse


@overload(add_to, jit_options=INLINED)
def _add_to(out, factor, x):
    def of_dense(out, factor, x):
        for i in range(x.size):
            out[i] += factor * x[i]

    def of_sparse(out, factor, x):
        for n in range(x.places.size):
            out[x.places[n]] += factor * x.values[n]

    return of_dense if isinstance(x, types.Array) else of_sparse


@overload(add_squares, jit_options=INLINED)
def _add_squares(out, root, x):
    def of_dense(out, root, x):
        for i in range(x.size):
            out[i] += (root * x[i]) * (root * x[i])

    def of_sparse(out, root, x):
        for n in range(x.places.size):
            out[x.places[n]] += (root * x.values[n]) * (root * x.values[n])

    return of_dense if isinstance(x, types.Array) else of_sparse
