"""Assumption 1: the bound D and the 2s-sparse eigenvalues of E x x'.

For a symmetric matrix S, phi_min is the smallest eigenvalue of any 2s x 2s block on the diagonal. Every block bounds
it from above. From below it is bounded by the smallest eigenvalue of S, and by Gershgorin's discs, of which only the
2s - 1 largest entries beside the diagonal can meet in one block. phi_max is the same for -S.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.diagnostics.finding import Finding, How
from hdbwk.diagnostics.sample import Floats

STARTS = 12  # pairs of coordinates from which supports are grown
POLISHED = 3  # of the grown supports, those that are improved by swaps
MAX_SWAPS = 50
DROPPED = 5  # coordinates of least weight that a swap may take out
ROWS_PER_LOG = 4.0  # blocks of a sample's Gram matrix are reliable from this many k log(ed / k) rows on


class SparseExtreme(NamedTuple):
    """The smallest k-sparse eigenvalue between two proved bounds; a block attains the upper one."""

    low: float
    high: float
    bound: str  # what the lower one is proved by


def boundedness(X: Floats, bound: float | None) -> Finding:
    """Assumption 1.1: |x_t| <= D. A sample shows the largest entry so far, never that the law has a bound."""
    seen = float(max(X.max(), -X.min()))
    if bound is not None and not bound > 0:
        raise ValueError(f"bound = {bound} must be positive, infinity if the law has none")
    if bound is not None and seen <= bound < np.inf:
        return Finding("1.1", "D", bound, seen, bound, "certified", True, "the law is bounded")
    largest = f"largest entry of {len(X)} contexts; "
    if bound is None:
        holds, note = None, largest + "whether the law has a bound is not known"
    else:
        holds = False
        note = largest + ("the law has no bound" if np.isinf(bound) else f"it exceeds the stated bound {bound:g}")
    return Finding("1.1", "D", seen, np.nan, np.nan, "sample", holds, note)


def sparse_eigenvalues(S: Floats, size: int, rows: int | None, kappa_max: float) -> list[Finding]:
    """
    Assumption 1.2: phi_min, phi_max and kappa = phi_max / phi_min.

    Parameters
    ----------
    S : array of shape (d, d)
        E x x', or the Gram matrix of a sample divided by its size.
    size : int
        k = 2s, the size of the supports.
    rows : int or None
        The size of the sample; None if S is exact.
    kappa_max : float
        The largest condition number that counts as O(1).
    """
    size = min(size, len(S))
    smallest, largest = sparse_minimum(S, size), sparse_minimum(-S, size)
    low, high = max(smallest.low, 0.0), max(smallest.high, 0.0)
    top_low, top_high = -largest.high, -largest.low
    kappa_low = top_low / high if high > 0 else np.inf
    kappa_high = top_high / low if low > 0 else np.inf

    holds, how, note = judge_condition(kappa_low, kappa_high, kappa_max, size, len(S), rows)
    found = "by the worst support found"
    below = f"upper bound {found}, lower bound by {smallest.bound}"
    beyond = f"lower bound {found}, upper bound by {largest.bound}"
    return [
        Finding("1.2", "phi_min", high, low, high, how, holds, below),
        Finding("1.2", "phi_max", top_low, top_low, top_high, how, holds, beyond),
        Finding("1.2", "kappa", kappa_low, kappa_low, kappa_high, how, holds, note),
    ]


def judge_condition(
    low: float, high: float, kappa_max: float, size: int, dim: int, rows: int | None
) -> tuple[bool | None, How, str]:
    """Whether kappa is at most kappa_max, what that rests on, and a note."""
    matrix = "E x x'" if rows is None else f"the Gram matrix of {rows} contexts"
    of = f"of {size}-sparse blocks of {matrix}"
    if rows is not None and rows < dim:
        of += f", whose smallest eigenvalue is 0 as there are {dim} coordinates"
    if high <= kappa_max:
        return True, "certified", f"{of}; proved to be at most {kappa_max:g}"
    if low <= kappa_max:
        return True, "search", f"{of}; no support found exceeds {kappa_max:g}, which is no proof"
    if rows is not None and rows < reliable_rows(size, dim):
        return None, "search", f"{of}; that needs about {reliable_rows(size, dim)} contexts"
    return False, "certified", f"{of}; a support found exceeds {kappa_max:g}"


def reliable_rows(size: int, dim: int) -> int:
    """Rows from which all blocks of a Gram matrix are near their expectation: a multiple of k log(ed / k)."""
    return int(np.ceil(ROWS_PER_LOG * size * np.log(np.e * dim / size)))


def sparse_minimum(S: Floats, size: int) -> SparseExtreme:
    """The smallest `size`-sparse eigenvalue of S: proved from below, by growing and swapping supports from above."""
    eigenvalues = np.linalg.eigvalsh(S)
    rounding = 1e-13 * len(S) * float(np.abs(eigenvalues).max())
    whole, discs = float(eigenvalues[0]) - rounding, gershgorin(S, size)
    high, _ = search(S, size)
    low, bound = max((whole, "the eigenvalues of the whole matrix"), (discs, "Gershgorin's discs"))
    return SparseExtreme(min(low, high), high, bound)


def gershgorin(S: Floats, size: int) -> float:
    """A lower bound on all blocks: S_ii less the size - 1 largest |S_ij| of its row."""
    beside = np.abs(S)
    np.fill_diagonal(beside, 0.0)
    radius = np.sort(beside, axis=1)[:, len(S) - size + 1 :].sum(axis=1)
    return float((np.diag(S) - radius).min())


def search(S: Floats, size: int, starts: int = STARTS) -> tuple[float, Floats]:
    """The smallest eigenvalue of a block that was found, and its eigenvector as a vector of length d."""
    if size == 1 or size == len(S):
        supports = [[int(np.diag(S).argmin())]] if size == 1 else [list(range(size))]
    else:
        grown = sorted((grow(S, pair, size) for pair in promising_pairs(S, starts)), key=lambda s: lowest(S, s)[0])
        supports = [swap(S, support) for support in grown[:POLISHED]]
    best = min(supports, key=lambda support: lowest(S, support)[0])
    value, vector = lowest(S, best)
    direction = np.zeros(len(S))
    direction[best] = vector
    return value, direction


def lowest(S: Floats, support: list[int]) -> tuple[float, Floats]:
    """The smallest eigenvalue of a block and its eigenvector."""
    values, vectors = np.linalg.eigh(S[np.ix_(support, support)])
    return float(values[0]), vectors[:, 0]


def two_by_two(a: Floats | float, b: Floats, c: Floats) -> Floats:
    """The smaller eigenvalue of [[a, c], [c, b]]."""
    return (a + b) / 2 - np.hypot((a - b) / 2, c)


def promising_pairs(S: Floats, starts: int) -> list[list[int]]:
    """Pairs of coordinates with the smallest eigenvalues, one for each first coordinate."""
    diagonal = np.diag(S)
    values = two_by_two(diagonal[:, None], diagonal[None, :], S)
    np.fill_diagonal(values, np.inf)
    partner = values.argmin(axis=1)
    first = values[np.arange(len(S)), partner].argsort(kind="stable")[:starts]
    return [[int(i), int(partner[i])] for i in first]


def best_addition(S: Floats, support: list[int]) -> int:
    """The coordinate that lowers the eigenvalue most, the eigenvector of the support being kept."""
    value, vector = lowest(S, support)
    after = two_by_two(value, np.diag(S), S[:, support] @ vector)
    after[support] = np.inf
    return int(after.argmin())


def grow(S: Floats, support: list[int], size: int) -> list[int]:
    """Add the best coordinate until the support has its size."""
    while len(support) < size:
        support = [*support, best_addition(S, support)]
    return support


def swap(S: Floats, support: list[int]) -> list[int]:
    """Exchange one coordinate for another while that lowers the eigenvalue."""
    for _ in range(MAX_SWAPS):
        value, vector = lowest(S, support)
        weakest = np.abs(vector).argsort(kind="stable")[:DROPPED]
        rests = [support[:i] + support[i + 1 :] for i in weakest]
        best = min(([*rest, best_addition(S, rest)] for rest in rests), key=lambda other: lowest(S, other)[0])
        if lowest(S, best)[0] >= value - 1e-12 * abs(value):
            break
        support = best
    return support
