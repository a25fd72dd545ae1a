"""The dual problem in rational arithmetic: its value without rounding, and prices that are at least as good."""

from fractions import Fraction

import numpy as np


class ExactDual:
    """F of a linear model, by its definition, on the numbers as they are stored."""

    def __init__(self, contexts, mu, W, rho, Z):
        rows, K = exactly(contexts), range(len(mu))
        mu, W = exactly(mu), exactly(W)
        self.rho = exactly(rho)
        self.Z = None if np.isinf(Z) else Fraction(Z)
        self.rewards = [[dot(mu[a], x) for a in K] for x in rows]
        self.costs = [[[dot(w, x) for w in W[a]] for a in K] for x in rows]

    def value(self, lam):
        """F(lam)."""
        best = sum(
            max(0, *(r - dot(b, lam) for r, b in zip(reward, cost, strict=True)))
            for reward, cost in zip(self.rewards, self.costs, strict=True)
        )
        return Fraction(best) / len(self.rewards) + dot(self.rho, lam)

    def is_feasible(self, lam):
        return min(lam) >= 0 and (self.Z is None or sum(lam) <= self.Z)

    def improved(self, lam):
        """The prices after one exact search along each resource; with one resource, the minimiser."""
        for i in range(len(lam)):
            lam = self._best_along(lam, i)
        return lam

    def _best_along(self, lam, i):
        """F is convex and linear between the prices where two arms of a sample tie: a search over these ties."""
        rest = [0 if k == i else price for k, price in enumerate(lam)]
        ties = set()
        for reward, cost in zip(self.rewards, self.costs, strict=True):
            lines = [(Fraction(0), Fraction(0))] + [(r - dot(b, rest), b[i]) for r, b in zip(reward, cost, strict=True)]
            for k, (c, b) in enumerate(lines):
                ties |= {(c - other_c) / (b - other_b) for other_c, other_b in lines[:k] if b != other_b}
        most = None if self.Z is None else self.Z - sum(rest)
        ends = {Fraction(0)} | (set() if most is None else {most})
        points = sorted(ends | {t for t in ties if t > 0 and (most is None or t < most)})

        def value(t):
            return self.value([t if k == i else price for k, price in enumerate(rest)])

        low, high = 0, len(points) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if value(points[middle]) <= value(points[middle + 1]) else (middle + 1, high)
        return [points[low] if k == i else price for k, price in enumerate(rest)]


def exactly(array):
    """Nested lists of rational numbers."""
    return [exactly(part) for part in array] if np.ndim(array) else Fraction(float(array))


def dot(x, y):
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))
