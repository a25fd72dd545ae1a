"""H_s, the hard threshold: which entries of a vector are kept. Of equal ones, up to rounding, the lower coordinates."""

import numpy as np

from hdbwk.core.compiled import lean_kernel
from hdbwk.core.validation import Floats

TIE = 1e-12  # relative difference of two entries that count as equal: sums in another order differ by less
ROUNDING = 1e-14  # an entry below this share of the largest one counts as zero


def hard_threshold(v: Floats, s: int) -> Floats:
    """H_s(v)."""
    chosen = np.empty(s, dtype=np.int64)
    largest(v, s, chosen)
    out = np.zeros_like(v)
    out[chosen] = v[chosen]
    return out


@lean_kernel
def step_and_threshold(v, rate, mu, support, size, chosen):
    """
    Line 9, mu = H_s(mu - rate g), and its support; g comes in `v`, which is left as mu - rate g.

    Returns how many entries are not zero, and whether mu changed.
    """
    s = support.size
    weakest, changed = np.inf if size == s else 0.0, False
    for i in support[:size]:
        after = mu[i] - rate * v[i]
        weakest = min(weakest, abs(after))
        changed |= after != mu[i]
    bound, reaching = weakest * (1.0 - TIE), 0
    for i in range(v.size):
        v[i] = mu[i] - rate * v[i]
        reaching += abs(v[i]) >= bound
    if reaching == s and weakest > 0.0:  # the support stays, as in most rounds
        for i in support:
            mu[i] = v[i]
        return size, changed
    if size == s and reaching <= 2 * s:
        _exchange(v, mu, support, weakest, chosen)
    else:
        largest(v, s, chosen)
    return _keep(v, mu, support, size, chosen), True


@lean_kernel
def _keep(v, mu, support, size, chosen):
    """Write the chosen entries and their coordinates, return how many are not zero."""
    top = 0.0
    for i in chosen:
        top = max(top, abs(v[i]))
    for i in support[:size]:
        mu[i] = 0.0
    kept = 0
    for i in chosen:
        if not abs(v[i]) <= ROUNDING * top:
            mu[i] = v[i]
            support[kept] = i
            kept += 1
    return kept


@lean_kernel
def _exchange(v, mu, support, bound, out):
    """As `largest`, quicker if few entries beside the support reach its weakest: they replace the weakest in turn."""
    for n in range(out.size):
        out[n] = support[n]
    weakest = _weakest_place(v, out)
    for i in range(v.size):
        if abs(v[i]) >= bound and mu[i] == 0.0 and _weaker(v, out[weakest], i):
            out[weakest] = i
            weakest = _weakest_place(v, out)
    _settle_ties(v, out)


@lean_kernel
def _weakest_place(v, support):
    weakest = 0
    for n in range(1, support.size):
        if _weaker(v, support[n], support[weakest]):
            weakest = n
    return weakest


@lean_kernel
def largest(v, s, out):
    """Write the s coordinates of largest |v| to `out`; ties go to the lower coordinate."""
    bound = _least_of_tops(v, s)
    kept = i = 0
    while kept < s:  # `out` becomes a heap: its root is the weakest coordinate kept so far
        if not abs(v[i]) < bound:  # as well where it is not a number
            sift_up(v, out, kept, i)
            kept += 1
        i += 1
    bound = abs(v[out[0]])
    for j in range(i, v.size):
        if abs(v[j]) > bound:
            sift_down(v, out, s, j)
            bound = abs(v[out[0]])
    _settle_ties(v, out)


@lean_kernel
def _settle_ties(v, out):
    """Of the entries that equal the weakest kept one up to rounding, keep those of lower coordinates."""
    weakest = abs(v[out[_weakest_place(v, out)]])
    low, high = weakest * (1.0 - TIE), weakest * (1.0 + TIE)
    reaching = kept = 0
    for i in range(v.size):
        reaching += abs(v[i]) >= low
    if reaching <= out.size or weakest == 0.0:
        return
    for i in out:
        if not abs(v[i]) <= high:  # as well where it is not a number
            out[kept] = i
            kept += 1
    i = 0
    while kept < out.size:
        if low <= abs(v[i]) <= high:
            out[kept] = i
            kept += 1
        i += 1


@lean_kernel
def _least_of_tops(v, s):
    """A bound that at least s entries reach: of s parts of v, each has its largest entry."""
    part = v.size // s
    least = np.inf
    for n in range(s):
        top = 0.0
        for i in range(n * part, (n + 1) * part):
            if abs(v[i]) > top:  # noqa: PLR1730 (`max` would take what is not a number)
                top = abs(v[i])
        least = min(least, top)
    return least


@lean_kernel
def _weaker(v, i, j):
    return abs(v[i]) < abs(v[j]) or (abs(v[i]) == abs(v[j]) and i > j)


@lean_kernel
def sift_up(v, heap, hole, item):
    """Put a coordinate at the end of a heap whose root is the weakest, and where it belongs."""
    while hole > 0 and _weaker(v, item, heap[(hole - 1) // 2]):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = item


@lean_kernel
def sift_down(v, heap, n, item):
    """Put a coordinate in place of the root of a heap of n, and where it belongs."""
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
