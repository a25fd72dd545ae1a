"""One solve: the prices of the last one, Newton's method near them, and the sifting loop where these do not do."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.bounds import Bounds, Memory, evaluate
from hdbwk.dual.newton import newton
from hdbwk.dual.prices import keep_below_cap
from hdbwk.dual.problem import normalise
from hdbwk.dual.sifting import FIRST_LEVEL, sift

FINEST = 0.01  # least tolerance, in units of the reward of one sample, for which Newton's method is tried


class Certified(NamedTuple):
    """Prices with their value, known up to `rounding`, a lower bound on the minimum, and the work done."""

    lam: np.ndarray
    value: float
    lower: float
    rounding: float
    passes: int
    iterations: int
    memory: Memory


@kernel
def solve(samples, sums, n, n_settled, posed, n_posed, start, goal, memory):
    """Minimise over the first n samples, n_settled of which were part of the last solve."""
    problem = normalise(posed, n_posed)
    lam = start.copy()
    keep_below_cap(lam, np.full(lam.size, 1.0 / posed.cap))
    value, error = evaluate(samples, n, posed, problem, lam, goal.spare)
    best, passes, iterations = Bounds(lam, value, error, -np.inf, 0.0), 1, 0
    if n_settled > 0 and n - n_settled <= FIRST_LEVEL and n * goal.tol >= FINEST:
        best, passes, iterations, memory = newton(samples, sums, n, problem, posed, best, goal, memory)
    if best.value - best.lower > goal.tol:
        if passes > 1:
            evaluate(samples, n, posed, problem, best.lam, goal.spare)
            passes += 1
        best, more_passes, more, memory = sift(samples, sums, n, n_settled, problem, posed, best, goal, memory)
        passes, iterations = passes + more_passes, iterations + more
    R = posed.reward_unit
    lower = best.lower - best.lower_error
    return Certified(best.lam, best.value * R, lower * R, best.value_error * R, passes, iterations, memory)
