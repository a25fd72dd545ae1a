"""The sifting loop: solve the dual on a small working set, certify the prices by one pass over all samples.

Everything here is in normalised units: rewards are of order one, the prices satisfy eta >= 0, shares . eta <= 1.
Most samples are fixed to one arm and enter the problem through sums; the working set holds those whose two
best arms are nearly tied. An assignment of samples to arms bounds the minimum from below whatever the
estimates are, so what is kept from the last solve stays valid after the estimates moved.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.dual.careful import careful_bounds, refined
from hdbwk.dual.double_double import UNIT
from hdbwk.dual.interior_point import ModelSolution, minimise_model
from hdbwk.dual.problem import Normalised, Posed, rounding_error
from hdbwk.dual.samples import allocate, append, enlarge
from hdbwk.dual.solution import Array
from hdbwk.dual.sparse_arms import SparseArms, net_rewards, scan
from hdbwk.dual.working_set import (
    FixedPart,
    Pairs,
    Sums,
    admit,
    fixed_part,
    refresh,
    round_sums,
    settle,
    widen,
    working_pairs,
)

FIRST_LEVEL = 256  # this many new samples simply all enter the working set
GROWTH = 8  # factor between the sizes of nested samples when more of them are new
SPREAD = 4.0  # samples of a new level in the working set, in units of sqrt(n)
MIN_THETA, MAX_THETA = 1e-8, 10.0
EXTRA_WORKING = 20  # smallest wanted size of the working set, beyond the number of resources
MORE, FEWER = 1.2, 0.9  # change of the wanted size after a solve of several passes, of one pass
NEAR = 0.25  # a pass admits margins up to this share of theta
REACH = 1.0  # a working sample keeps the arms within this many thetas of its best arm
OVERSHOT = 2  # more flips than this many wanted sizes, and than working samples: the prices went too far
MODEL_SHARE = 0.5  # share of the tolerance left to the interior point
RESTARTS = 3  # colder starts of the interior point when its gap stays open
REFRESH_EVERY = 256  # solves between two recomputations of the sums
MAX_PASSES = 200


class Goal(NamedTuple):
    """How far the bounds may be apart, the rounding allowed to each of them, and the limit of the interior point."""

    tol: float
    spare: float
    max_iterations: int


class Certified(NamedTuple):
    """Prices with their value, known up to `rounding`, a lower bound on the minimum, and the work done."""

    eta: Array
    value: float
    lower: float
    rounding: float
    passes: int
    iterations: int


class Bounds(NamedTuple):
    """A value of the dual and a lower bound on its minimum, each with a bound for its rounding."""

    value: float
    value_error: float
    lower: float
    lower_error: float


class Sifter:
    """The samples and, from one solve to the next, their fixed arms, the working set and its margin theta."""

    def __init__(self, dim: int, n_arms: int, n_resources: int, capacity: int) -> None:
        self.m = n_resources
        self.n = 0  # samples stored
        self.n_settled = 0  # samples that were part of the last solve
        self.solves = 0
        self.theta = 1.0
        self.wanted = float(n_resources + EXTRA_WORKING)
        self.samples = allocate(capacity, dim)
        self.weight = np.zeros(dim)  # the sum of |x_j| over the samples
        self.sums = Sums(np.zeros((n_arms, dim)), np.zeros((n_arms, dim)))

    def extend(self, contexts: Array) -> None:
        """Append samples; they start in the working set."""
        n = self.n + len(contexts)
        if n > len(self.samples.rows):
            self.samples = enlarge(self.samples, self.n, n)
        append(self.samples, self.weight, self.n, contexts)
        self.n = n

    def minimise(self, posed: Posed, problem: Normalised, start: Array, goal: Goal) -> Certified:
        """Minimise over all samples; many new samples are taken in by nested levels."""
        eta, passes, iterations = start, 0, 0
        for n in self._levels():
            if n - self.n_settled > FIRST_LEVEL:
                self._take_in(n, problem, eta)
                passes += 1
            rough = Goal(max(goal.tol, 0.1 / n), np.inf, goal.max_iterations)
            level = self._sift(n, posed, problem, eta, goal if n == self.n else rough)
            eta, passes, iterations = level.eta, passes + level.passes, iterations + level.iterations
            self.n_settled = n
        self.solves += 1
        if self.solves % REFRESH_EVERY == 0:
            refresh(self.samples, self.sums, self.n)
        return level._replace(passes=passes, iterations=iterations)

    def scan(self, n: int, arms: SparseArms, rho: Array, eta: Array) -> float:
        """One pass over n samples: the dual value at eta; best arms and margins go into the samples."""
        net = net_rewards(arms, eta, self.weight.size)
        return scan(self.samples, n, net) + float(rho @ eta)

    def _take_in(self, n: int, problem: Normalised, eta: Array) -> None:
        """Settle all samples at prices of a smaller level, whose error is of order 1 / sqrt(n)."""
        self.scan(n, problem.arms, problem.rho, eta)
        size = min(int(self.wanted + SPREAD * np.sqrt(n)), n - 1)
        self._set_theta(np.partition(self.samples.margin[:n], size)[size])
        settle(self.samples, self.sums, n, self.theta)

    def _set_theta(self, theta: float) -> None:
        self.theta = min(max(theta, MIN_THETA), MAX_THETA)

    def _levels(self) -> list[int]:
        levels = [self.n]
        while levels[0] > max(GROWTH * self.n_settled, FIRST_LEVEL):
            levels.insert(0, max(levels[0] // GROWTH, FIRST_LEVEL))
        return levels

    def _sift(self, n: int, posed: Posed, problem: Normalised, start: Array, goal: Goal) -> Certified:
        """Steps 1 to 5; the working set only grows, so that at worst the last model is the whole problem."""
        value, lower, value_error, lower_error, passes, iterations = np.inf, -np.inf, 0.0, 0.0, 0, 0
        eta = origin = start
        while True:
            # 1. Fixed samples are linear in the prices; the working set gives the pairs.
            fixed = fixed_part(problem.arms, self.sums, n, problem.rho)
            if not fixed.lost <= goal.spare:
                round_sums(self.samples, self.sums, n)
                fixed = fixed_part(problem.arms, self.sums, n, problem.rho)
            pairs = working_pairs(self.samples, n, problem.arms, origin, REACH * self.theta)
            # 2. The model bounds the minimum from below.
            model = self._minimise_model(pairs, 1.0 / n, fixed.left, problem.shares, start, goal)
            # 3. One pass at its prices bounds the minimum from above.
            found = self._bounds(n, posed, problem, pairs, model, fixed, goal.spare)
            if found.lower > lower:
                lower, lower_error = found.lower, found.lower_error
            if found.value < value:
                value, value_error, eta = found.value, found.value_error, model.eta
            passes, iterations = passes + 1, iterations + model.iterations
            if value - lower <= goal.tol or passes == MAX_PASSES:
                break
            # 4. Where the model was wrong, the working set grows.
            widen(self.samples, pairs)
            limit = max(int(OVERSHOT * self.wanted), pairs.sample.size)
            flips = admit(self.samples, self.sums, n, NEAR * self.theta, limit)
            start = model.eta if flips <= limit else origin
        # 5. Fix all samples but the nearly tied ones, and adapt theta to the wanted size.
        free = settle(self.samples, self.sums, n, self.theta)
        self.wanted = min(max(self.wanted * (MORE if passes > 1 else FEWER), self.m + EXTRA_WORKING), n)
        self._set_theta(self.theta * min(2.0, max(0.5, np.sqrt(self.wanted / max(free, 1)))))
        return Certified(eta, value, lower - lower_error, value_error, passes, iterations)

    def _bounds(
        self,
        n: int,
        posed: Posed,
        problem: Normalised,
        pairs: Pairs,
        model: ModelSolution,
        fixed: FixedPart,
        spare: float,
    ) -> Bounds:
        """Both bounds from a model, in doubled precision if their rounding may exceed `spare`."""
        value = self.scan(n, problem.arms, problem.rho, model.eta)
        rounding = 2.0 * fixed.lost + rounding_error(problem, n, value) + UNIT * len(pairs.reward) * model.size
        if rounding <= spare:
            return Bounds(value, rounding, fixed.constant + model.lower, rounding)
        careful, error, lower = careful_bounds(self.samples, n, posed, problem, pairs, model)
        return Bounds(*refined(value, careful, error, spare), lower, 0.0)

    def _minimise_model(
        self, pairs: Pairs, weight: float, rho: Array, shares: Array, start: Array, goal: Goal
    ) -> ModelSolution:
        """The interior point from warm prices, then if needed from central prices and larger barriers."""
        problem = (pairs.reward, pairs.cost, pairs.groups, weight, rho, shares)
        barrier, tol = 2.0 * self.theta * weight, MODEL_SHARE * goal.tol
        model = minimise_model(*problem, start, barrier, tol, goal.max_iterations)
        centre = np.full(self.m, 1.0 / (self.m + 1))
        for _ in range(RESTARTS):
            if model.upper - model.lower <= tol:
                break
            barrier *= 10.0
            again = minimise_model(*problem, centre, barrier, tol, goal.max_iterations)
            model = ModelSolution(
                again.eta if again.upper < model.upper else model.eta,
                min(again.upper, model.upper),
                max(again.lower, model.lower),
                again.y if again.lower > model.lower else model.y,
                max(again.size, model.size),
                again.iterations + model.iterations,
            )
        return model
