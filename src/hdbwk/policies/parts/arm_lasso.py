"""The LASSO on the rows of one arm, solved anew from its last solution: what the policies of the field refit."""

import math

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.compiled import kernel
from hdbwk.core.validation import Floats

TOLERANCE = 1e-8  # a sweep that moves no fitted value by more than this share of |y| ends a solution
SWEEPS = 10_000


class ArmLasso:
    """Minimises |y - X b|^2 / (2 n) + alpha |b|_1 over the n rows so far, by coordinate descent on running sums."""

    def __init__(self, dim: int) -> None:
        self.n = 0
        self.coef: Floats = np.zeros(dim)
        self.gram, self.moment, self.square = np.zeros((dim, dim)), np.zeros(dim), 0.0

    def add(self, x: Floats, y: float) -> None:
        """One more row."""
        self.n += 1
        self.gram += np.outer(x, x)
        self.moment += y * x
        self.square += y * y

    def solve(self, alpha: float) -> Floats:
        """The solution for a penalty, from the last one; zeros without rows."""
        _descend(self.gram, self.moment, self.coef, self.n * alpha, TOLERANCE * math.sqrt(self.square))
        return self.coef

    def least_squares(self, support: NDArray[np.integer]) -> Floats:
        """Least squares on some coordinates, of shortest length where it is not unique."""
        coef = np.zeros_like(self.coef)
        coef[support] = np.linalg.lstsq(self.gram[np.ix_(support, support)], self.moment[support], rcond=1e-12)[0]
        return coef


@kernel
def _descend(gram, moment, coef, threshold, tolerance):
    """Sweeps over the coordinates until one moves none, in fitted values, by more than the tolerance."""
    gradient = np.dot(gram, coef) - moment
    for _ in range(SWEEPS):
        largest = 0.0
        for j in range(coef.size):
            if gram[j, j] > 0.0 and (coef[j] != 0.0 or abs(gradient[j]) > threshold):
                v = coef[j] * gram[j, j] - gradient[j]
                after = math.copysign(max(abs(v) - threshold, 0.0), v) / gram[j, j]
                change = after - coef[j]
                if change != 0.0:
                    coef[j] = after
                    for i in range(coef.size):
                        gradient[i] += change * gram[j, i]
                    largest = max(largest, abs(change) * math.sqrt(gram[j, j]))
        if largest <= tolerance:
            return
