"""Newton's method on the smoothed dual, every few steps certified by a pass over all samples.

From one round to the next the prices move little. Often those of the last round are still good enough, and the shares
of the nearly tied samples prove it: then one pass is all.
"""

from hdbwk.core.compiled import kernel
from hdbwk.dual.bounds import Size, evaluate, with_lower, with_value
from hdbwk.dual.double_double import UNIT
from hdbwk.dual.problem import rounding_error
from hdbwk.dual.smooth import minimise_smooth, near_ties
from hdbwk.dual.working_set import fixed_part, settle

PASSES = 6  # at most, before the sifting loop takes over
SPAN = 1.5  # margins up to so many epsilons take part
WIDER = 3.0  # factor between a blur and the next larger one
MANY_TIES = 5  # for each resource: a larger blur would not make the steps better
SMALLEST, LARGEST = 1e-8, 1.0  # blur
LEAST_BLUR, MOST_BLUR = 0.4, 0.6  # wanted share of the tolerance
EVERYTHING = -1.0  # margins above this are settled


@kernel
def newton(samples, sums, n, problem, posed, best, goal, size):
    """From prices near the minimum, whose pass was the last one.

    Far from the minimum a smoother function, with more ties, gives better steps; the next ones are finer again.
    """
    epsilon, scale, widest, passes, steps = size.epsilon, size.scale, 0.0, 1, 0
    centre = best.eta
    while True:
        settle(samples, sums, n, EVERYTHING)
        fixed = fixed_part(problem.arms, sums, n, problem.rho)
        target = best.value - goal.tol - fixed.constant
        while True:
            ties = near_ties(samples, n, problem.arms, SPAN * scale)
            smooth = minimise_smooth(ties, 1.0 / n, fixed.left, problem.shares, centre, scale, target)
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
        centre = smooth.eta
        value, error = evaluate(samples, n, posed, problem, centre, goal.spare)
        passes += 1
        best = with_value(best, centre, value, error)
        if best.value - best.lower <= goal.tol:
            break
        scale = max(epsilon, scale / WIDER**2)
    if scale == epsilon and smooth.near:
        epsilon = adapted(epsilon, smooth.blur / goal.tol)
    return best, passes, steps, Size(epsilon, max(epsilon, widest / WIDER), size.theta, size.wanted)


@kernel
def adapted(epsilon, blur):
    """An epsilon whose blur takes about half of the tolerance."""
    if blur > MOST_BLUR:
        return max(0.8 * epsilon, SMALLEST)
    return min(1.1 * epsilon, LARGEST) if blur < LEAST_BLUR else epsilon
