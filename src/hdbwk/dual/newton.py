"""Newton's method on the smoothed dual, every few steps certified by a pass over all samples.

From one round to the next the prices move little. Often those of the last round are still good enough, and the shares
of the nearly tied samples prove it: then one pass is all.
"""

from hdbwk.core.compiled import kernel
from hdbwk.dual.bounds import Memory, evaluate, with_lower, with_value
from hdbwk.dual.double_double import UNIT
from hdbwk.dual.prices import keep_below_cap
from hdbwk.dual.problem import rounding_error
from hdbwk.dual.smooth import minimise_smooth, near_ties
from hdbwk.dual.working_set import fix_all, fixed_part

PASSES = 6  # at most, before the sifting loop takes over
SPAN = 1.5  # margins up to so many epsilons take part
WIDER = 3.0  # factor between a blur and the next larger one
MANY_TIES = 5  # for each resource: a larger blur would not make the steps better
SMALLEST, LARGEST = 1e-8, 1.0  # blur
LEAST_BLUR, MOST_BLUR = 0.4, 0.6  # wanted share of the tolerance


@kernel
def newton(samples, sums, n, problem, posed, best, goal, memory):
    """From prices near the minimum, whose pass was the last one.

    Far from the minimum a smoother function, with more ties, gives better steps; the next ones are finer again.
    """
    epsilon, scale, widest, passes, steps = memory.epsilon, memory.scale, 0.0, 1, 0
    centre, begin = best.lam / problem.price_units, memory.smooth_lam / problem.price_units
    keep_below_cap(begin, problem.shares)
    while True:
        fix_all(samples, sums, n)
        fixed = fixed_part(problem.arms, sums, n, problem.rho)
        target = best.value - goal.tol - fixed.constant
        while True:
            ties = near_ties(samples, n, problem.arms, SPAN * scale)
            smooth = minimise_smooth(ties, 1.0 / n, fixed.left, problem.shares, centre, begin, scale, target)
            steps += smooth.steps
            if smooth.near or ties.margin.size > MANY_TIES * centre.size or scale > LARGEST:
                break
            scale *= WIDER
        widest = max(widest, scale)
        error = 2.0 * (fixed.lost + rounding_error(problem, n, best.value)) + UNIT * ties.margin.size * smooth.size
        if not error <= goal.spare:
            break
        best = with_lower(best, fixed.constant + smooth.lower, error)
        if best.value - best.lower <= goal.tol or passes == PASSES:
            break
        centre = begin = smooth.eta
        lam = centre * problem.price_units
        value, error = evaluate(samples, n, posed, problem, lam, goal.spare)
        passes += 1
        best = with_value(best, lam, value, error)
        if best.value - best.lower <= goal.tol:
            break
        scale = max(epsilon, scale / WIDER**2)
    if scale == epsilon and smooth.near:
        epsilon = adapted(epsilon, smooth.blur / goal.tol)
    lam = smooth.eta * problem.price_units
    memory = Memory(lam, epsilon, max(epsilon, widest / WIDER), memory.theta, memory.wanted)
    return best, passes, steps, memory


@kernel
def adapted(epsilon, blur):
    """An epsilon whose blur takes about half of the tolerance."""
    if blur > MOST_BLUR:
        return max(0.8 * epsilon, SMALLEST)
    return min(1.1 * epsilon, LARGEST) if blur < LEAST_BLUR else epsilon
