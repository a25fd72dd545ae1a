"""Cholesky factor and solve for the small matrices of the interior point."""

import numpy as np

from hdbwk.core.compiled import kernel

TINY_PIVOT = 1e-30  # a direction without curvature gets a zero step


@kernel
def cholesky(a):
    """Lower Cholesky factor in place; a vanishing pivot is made infinite, so that its step is zero."""
    for k in range(a.shape[0]):
        pivot = a[k, k]
        for i in range(k):
            pivot -= a[k, i] ** 2
        a[k, k] = np.sqrt(pivot) if pivot > TINY_PIVOT else np.inf
        for j in range(k + 1, a.shape[0]):
            entry = a[j, k]
            for i in range(k):
                entry -= a[j, i] * a[k, i]
            a[j, k] = entry / a[k, k]


@kernel
def cholesky_solve(factor, x):
    """Solve L L' x = rhs in place."""
    m = x.size
    for i in range(m):
        for k in range(i):
            x[i] -= factor[i, k] * x[k]
        x[i] /= factor[i, i]
    for i in range(m - 1, -1, -1):
        for k in range(i + 1, m):
            x[i] -= factor[k, i] * x[k]
        x[i] /= factor[i, i]
