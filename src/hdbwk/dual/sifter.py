"""What the dual remembers from one solve to the next."""

import numpy as np

from hdbwk.dual.arms import Arms, dense_rewards, reward_drift, reward_vectors
from hdbwk.dual.bounds import Goal, Memory
from hdbwk.dual.problem import Posed
from hdbwk.dual.samples import allocate, append, enlarge
from hdbwk.dual.scores import reward_scale
from hdbwk.dual.sifting import EXTRA_WORKING, FIRST_LEVEL
from hdbwk.dual.solution import Array
from hdbwk.dual.stages import Certified, solve
from hdbwk.dual.working_set import Sums, refresh

GROWTH = 8  # factor between the sizes of nested samples when more of them are new
ENOUGH = 0.9  # a lower bound of the scale of the rewards of this share is as good
REFRESH_EVERY = 256  # solves between two recomputations of the sums


class Sifter:
    """The samples and, from one solve to the next, their fixed arms and the size of the working set.

    An assignment of samples to arms bounds the minimum from below whatever the estimates are, so what is kept from
    the last solve stays valid after the estimates moved.
    """

    def __init__(self, dim: int, n_arms: int, n_resources: int, capacity: int) -> None:
        self.m = n_resources
        self.n = 0  # samples stored
        self.n_settled = 0  # samples that were part of the last solve
        self.solves = 0
        self.memory = Memory(
            np.zeros(n_resources), epsilon=0.01, scale=0.01, theta=1.0, wanted=float(n_resources + EXTRA_WORKING)
        )
        self.samples = allocate(capacity, dim, n_arms)
        self.weight = np.zeros(dim)  # the sum of |x_j| over the samples
        self._scale = 0, 0.0, np.zeros((n_arms, dim))  # when it was computed: samples, scale of the rewards, parameters
        self.sums = Sums(np.zeros((n_arms, dim)), np.zeros((n_arms, dim)))

    def extend(self, contexts: Array) -> None:
        """Append samples; they start in the working set."""
        n = self.n + len(contexts)
        if n > len(self.samples.rows):
            self.samples = enlarge(self.samples, self.n, n)
        append(self.samples, self.weight, self.n, contexts)
        self.n = n

    def reward_scale(self, arms: Arms, exact: bool) -> float:
        """The mean over the samples of the largest absolute reward of an arm, or up to a tenth less."""
        if not exact:
            n, scale, mu = self._scale
            least = (n * scale - reward_drift(arms, mu, self.weight)) / self.n
            if least >= ENOUGH * scale > 0.0:
                return least
        scale = reward_scale(self.samples, self.n, reward_vectors(arms))
        self._scale = self.n, scale, dense_rewards(arms, self.weight.size)
        return scale

    def minimise(self, posed: Posed, start: Array, goal: Goal) -> Certified:
        """Minimise over all samples; many new samples are taken in by nested levels."""
        passes, iterations = 0, 0
        for n in self._levels():
            last = n == self.n
            level_goal = goal if last else Goal(max(goal.tol, 0.1 / n), np.inf, goal.max_iterations)
            level = solve(self.samples, self.sums, n, self.n_settled, posed, self.n, start, level_goal, self.memory)
            start, passes, iterations = level.lam, passes + level.passes, iterations + level.iterations
            self.n_settled, self.memory = n, level.memory
        self.solves += 1
        if self.solves % REFRESH_EVERY == 0:
            refresh(self.samples, self.sums, self.n)
        return level._replace(passes=passes, iterations=iterations)

    def _levels(self) -> list[int]:
        levels = [self.n]
        while levels[0] > max(GROWTH * self.n_settled, FIRST_LEVEL):
            levels.insert(0, max(levels[0] // GROWTH, FIRST_LEVEL))
        return levels
