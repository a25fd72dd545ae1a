"""The sifting loop: solve the dual on a small working set, certify its prices by one pass over all samples.

Most samples are fixed to one arm and enter the problem through sums; the working set holds those whose two best arms
are nearly tied. It starts from any prices, reaches any tolerance, and grows to the whole problem if it must.
"""

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.bounds import Memory, evaluate, with_lower, with_value
from hdbwk.dual.careful import careful_lower
from hdbwk.dual.double_double import UNIT
from hdbwk.dual.interior_point import ModelSolution, minimise_model
from hdbwk.dual.problem import rounding_error
from hdbwk.dual.working_set import admit, fixed_part, round_sums, settle, widen, working_pairs

FIRST_LEVEL = 256  # this many new samples simply all enter the working set of a cold start
SPREAD = 4.0  # samples of a new level in the working set, in units of sqrt(n)
MIN_THETA, MAX_THETA = 1e-8, 10.0
EXTRA_WORKING = 20  # smallest wanted size of the working set, beyond the number of resources
MORE, FEWER = 1.2, 0.9  # change of the wanted size after a solve of many passes, of few
FEW_PASSES = 1  # of a solve whose working set was large enough
NEAR = 0.25  # a pass admits margins up to this share of theta
REACH = 1.0  # a working sample keeps the arms within this many thetas of its best arm
OVERSHOT = 2  # more flips than this many wanted sizes, and than working samples: the prices went too far
MODEL_SHARE = 0.5  # share of the tolerance left to the interior point
RESTARTS = 3  # colder starts of the interior point when its gap stays open
MAX_PASSES = 200


@kernel
def sift(samples, sums, n, n_settled, problem, posed, best, goal, memory):
    """From any prices, whose pass was the last one; at worst the working set grows to the whole problem."""
    theta, wanted = memory.theta, memory.wanted
    if n - n_settled > FIRST_LEVEL:  # prices of a smaller level have an error of order 1 / sqrt(n)
        theta = margin_of_rank(samples.margin[:n], min(int(wanted + SPREAD * np.sqrt(n)), n - 1))
    free = n if n_settled == 0 and n <= FIRST_LEVEL else settle(samples, sums, n, theta)
    passes, iterations = 0, 0
    origin = begin = best.lam / problem.price_units
    while True:
        # 1. Fixed samples are linear in the prices; the working set gives the pairs. Their model bounds the minimum.
        fixed = fixed_part(problem.arms, sums, n, problem.rho)
        if not fixed.lost <= goal.spare:
            round_sums(samples, sums, n)
            fixed = fixed_part(problem.arms, sums, n, problem.rho)
        pairs = working_pairs(samples, n, problem.arms, origin, REACH * theta)
        target = best.value - MODEL_SHARE * goal.tol - fixed.constant
        model = solve_model(pairs, 1.0 / n, fixed.left, problem.shares, begin, 2.0 * theta / n, target, goal)
        iterations += model.iterations
        best = with_lower(best, *bound_below(samples, n, posed, problem, pairs, model, fixed, best, goal.spare))
        if best.value - best.lower <= goal.tol or passes == MAX_PASSES:
            break
        # 2. One pass at the prices of the model.
        lam = model.eta * problem.price_units
        best = with_value(best, lam, *evaluate(samples, n, posed, problem, lam, goal.spare))
        passes += 1
        if best.value - best.lower <= goal.tol:
            break
        # 3. Where the model was wrong, the working set grows.
        widen(samples, pairs)
        limit = max(int(OVERSHOT * wanted), pairs.sample.size)
        flips = admit(samples, sums, n, NEAR * theta, limit)
        begin = model.eta if flips <= limit else origin
    # 4. Adapt the next working set.
    wanted = min(max(wanted * (MORE if passes > FEW_PASSES else FEWER), origin.size + EXTRA_WORKING), n)
    theta = min(max(theta * min(2.0, max(0.5, np.sqrt(wanted / max(free, 1)))), MIN_THETA), MAX_THETA)
    return best, passes, iterations, Memory(best.lam.copy(), memory.epsilon, memory.scale, theta, wanted)


@kernel
def margin_of_rank(margin, rank):
    """A theta that leaves so many samples in the working set."""
    return min(max(np.partition(margin, rank)[rank], MIN_THETA), MAX_THETA)


@kernel
def bound_below(samples, n, posed, problem, pairs, model, fixed, best, spare):
    """The lower bound of a model with a bound for its rounding, in doubled precision if that may exceed `spare`."""
    error = 2.0 * fixed.lost + rounding_error(problem, n, best.value) + UNIT * pairs.reward.size * model.size
    if error <= spare:
        return fixed.constant + model.lower, error
    R = posed.reward_unit
    upper = (best.value + best.value_error) * R
    lower = careful_lower(samples, n, posed, pairs, model.y, upper + 4.0 * UNIT * abs(upper))
    return (lower - 4.0 * UNIT * abs(lower)) / R, 0.0


@kernel
def solve_model(pairs, weight, rho, shares, begin, barrier, target, goal):
    """The interior point from warm prices, then if needed from central prices and larger barriers."""
    tol = MODEL_SHARE * goal.tol
    c, b, groups = pairs.reward, pairs.cost, pairs.groups
    model = minimise_model(c, b, groups, weight, rho, shares, begin, barrier, tol, target, goal.max_iterations)
    centre = np.full(rho.size, 1.0 / (rho.size + 1))
    for _ in range(RESTARTS):
        if model.upper - model.lower <= tol or model.lower >= target:
            break
        barrier *= 10.0
        again = minimise_model(c, b, groups, weight, rho, shares, centre, barrier, tol, target, goal.max_iterations)
        model = ModelSolution(
            again.eta if again.upper < model.upper else model.eta,
            min(again.upper, model.upper),
            max(again.lower, model.lower),
            again.y if again.lower > model.lower else model.y,
            max(again.size, model.size),
            again.iterations + model.iterations,
        )
    return model
