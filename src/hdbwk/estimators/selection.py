"""H_s, the hard threshold: which entries of a vector are kept. Of equal ones, those of lower coordinates."""

import numpy as np

from hdbwk.compiled import kernel


@kernel
def threshold(v, mu, support, size, chosen):
    """Line 9, mu = H_s(v): write the entries that are kept and their coordinates, return their number."""
    if _stays(v, support[:size], support.size):
        for i in support:
            mu[i] = v[i]
        return size
    if size == support.size:
        _replace_weakest(v, mu, support, chosen)
    else:
        largest(v, support.size, chosen)
    for i in support[:size]:
        mu[i] = 0.0
    kept = 0
    for i in chosen:
        mu[i] = v[i]
        if v[i] != 0.0:
            support[kept] = i
            kept += 1
    return kept


@kernel
def keeps(v, mu, support, size):
    """Whether H_s(v) is mu, to the last bit."""
    for i in support[:size]:
        if v[i] != mu[i]:
            return False
    return _stays(v, support[:size], support.size)


@kernel
def _stays(v, support, s):
    """Whether the support has s entries, not zero and strictly larger than all others, as in most rounds."""
    weakest = _weakest(v, support)
    as_large = 0
    for i in range(v.size):
        as_large += abs(v[i]) >= weakest
    return weakest > 0.0 and as_large == support.size == s


@kernel
def _weakest(v, support):
    weakest = np.inf
    for i in support:
        weakest = min(weakest, abs(v[i]))
    return weakest


@kernel
def _replace_weakest(v, mu, support, out):
    """As `largest`, quicker if few entries are as large as the weakest of the support, the non-zero part of mu."""
    weakest = _weakest(v, support)
    for n in range(support.size):
        _sift_up(v, out, n, support[n])
    for i in range(v.size):
        if abs(v[i]) >= weakest and mu[i] == 0.0 and _weaker(v, out[0], i):
            _sift_down(v, out, out.size, i)


@kernel
def largest(v, s, out):
    """Write the s coordinates of largest |v| to `out`; ties go to the lower coordinate."""
    d = v.size
    for i in range(s):  # `out` is a heap: its root is the weakest coordinate kept so far
        _sift_up(v, out, i, i)
    for i in range(s, d):
        if abs(v[i]) > abs(v[out[0]]):
            _sift_down(v, out, s, i)


@kernel
def _weaker(v, i, j):
    return abs(v[i]) < abs(v[j]) or (abs(v[i]) == abs(v[j]) and i > j)


@kernel
def _sift_up(v, heap, hole, item):
    while hole > 0 and _weaker(v, item, heap[(hole - 1) // 2]):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = item


@kernel
def _sift_down(v, heap, n, item):
    hole = 0
    while 2 * hole + 1 < n:
        child = 2 * hole + 1
        if child + 1 < n and _weaker(v, heap[child + 1], heap[child]):
            child += 1
        if not _weaker(v, heap[child], item):
            break
        heap[hole] = heap[child]
        hole = child
    heap[hole] = item


@kernel
def truncate(mu, sparsity):
    """Line 10 for a stack of vectors: H_{s0} of each."""
    out = np.zeros_like(mu)
    chosen = np.empty(sparsity, dtype=np.int64)
    for arm in range(mu.shape[0]):
        for output in range(mu.shape[1]):
            largest(mu[arm, output], sparsity, chosen)
            for i in chosen:
                out[arm, output, i] = mu[arm, output, i]
    return out
