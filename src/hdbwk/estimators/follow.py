"""
Rounds of Algorithm 1 in O(s^2): as long as no coordinate can enter its support, a regression looks at nothing else.

The gradient S a - C at an earlier iterate a, the anchor, bounds the one at mu: S is positive semi-definite, hence
|(S mu - C)_j| <= |(S a - C)_j| + sqrt(S_jj) |mu - a|_S for every coordinate j, and a new row (w, x, y) moves
(S a - C)_j by w x_j (x'a - y). A round whose step leaves all entries of the support above what this allows elsewhere
needs the support's part of S and C alone. Any other round takes the full gradient; if the support stays, its iterate
is the new anchor.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hdbwk.compiled import kernel
from hdbwk.estimators.kernels import Floats, State, gradient_step, largest_size, stays, threshold

MARGIN = 1 + 1e-9  # raises a bound, so that rounding cannot hide a coordinate
SETTLED = 2.0**-50  # a step this small against the smallest entry is rounding: without a pull, no other follows it


class Followed(NamedTuple):
    """The supports' parts of the sums, for A arms with q outputs, in the order of `State.support`."""

    gram: Floats  # (A, q, s, s)     of S, with the rows that wait
    moment: Floats  # (A, q, s)      of C
    mu: Floats  # (A, q, s)          of the iterate
    anchor: Floats  # (A, q, s)      of a
    at_anchor: Floats  # (A, q, s)   of S a - C
    elsewhere: Floats  # (A, q)      bounds |S a - C| off the support; inf if there is no anchor
    diagonal: Floats  # (A, d)       of all of S
    settled: NDArray[np.bool_]  # (A, q) whether the last step changed nothing


def empty_followed(state: State) -> Followed:
    """Before the first round there is no support to follow."""
    shape = state.support.shape
    return Followed(
        gram=np.zeros((*shape, shape[2])),
        moment=np.zeros(shape),
        mu=np.zeros(shape),
        anchor=np.zeros(shape),
        at_anchor=np.zeros(shape),
        elsewhere=np.full(shape[:2], np.inf),
        diagonal=np.zeros((shape[0], state.mu.shape[2])),
        settled=np.zeros(shape[:2], dtype=np.bool_),
    )


@kernel
def observe_followed(state, followed, arm, x, targets, weight):
    """Line 7 for what is followed: the row that `observe` adds to S and C."""
    diagonal = followed.diagonal[arm]
    largest_entry = 0.0
    for i in range(x.size):
        diagonal[i] += weight * x[i] * x[i]
        largest_entry = max(largest_entry, abs(x[i]))
    part = np.empty(state.support.shape[2])
    for k in range(targets.size):
        followed.settled[arm, k] = False
        if followed.elsewhere[arm, k] < np.inf:
            support, anchor = state.support[arm, k], followed.anchor[arm, k]
            residual = -targets[k]
            for i in range(part.size):
                part[i] = x[support[i]]
                residual += anchor[i] * part[i]
            followed.elsewhere[arm, k] += weight * abs(residual) * largest_entry
            _add_row(followed, arm, k, part, weight, targets[k], residual)


@kernel
def _add_row(followed, arm, output, part, weight, target, residual):
    gram, moment, at_anchor = followed.gram[arm, output], followed.moment[arm, output], followed.at_anchor[arm, output]
    for i in range(part.size):
        factor = weight * part[i]
        moment[i] += factor * target
        at_anchor[i] += factor * residual
        for j in range(part.size):
            gram[i, j] += factor * part[j]


@kernel
def follow(state, followed, arm, step, todo, gradient):
    """Lines 8 and 9 on the supports of an arm's outputs; returns how many need more, which go to `todo`."""
    grams, moments, iterates, anchors = followed.gram, followed.moment, followed.mu, followed.anchor
    at_anchors, elsewhere, settled = followed.at_anchor, followed.elsewhere, followed.settled
    mu, supports = state.mu, state.support
    reach = np.sqrt(largest_size(followed.diagonal[arm]))
    s = gradient.size
    left = 0
    for k in range(settled.shape[1]):
        if settled[arm, k]:
            continue
        if elsewhere[arm, k] == np.inf:
            todo[left] = k
            left += 1
            continue
        _gradient(grams, iterates, moments, arm, k, gradient)
        rate = 2.0 * step / state.rounds[0] if step >= 0.0 else _line_search(grams, arm, k, gradient)
        distance = 0.0  # |mu - a|_S squared
        weakest = np.inf
        for i in range(s):
            distance += (iterates[arm, k, i] - anchors[arm, k, i]) * (gradient[i] - at_anchors[arm, k, i])
            weakest = min(weakest, abs(iterates[arm, k, i] - rate * gradient[i]))
        if not weakest > MARGIN * rate * (elsewhere[arm, k] + reach * np.sqrt(max(distance, 0.0))):
            todo[left] = k
            left += 1
            continue
        largest_move = 0.0
        for i in range(s):
            move = rate * gradient[i]
            largest_move = max(largest_move, abs(move))
            iterates[arm, k, i] -= move
            mu[arm, k, supports[arm, k, i]] = iterates[arm, k, i]
        settled[arm, k] = largest_move <= SETTLED * weakest
    return left


@kernel
def _gradient(grams, iterates, moments, arm, output, out):
    """out = S mu - C."""
    for i in range(out.size):
        total = -moments[arm, output, i]
        for j in range(out.size):
            total += grams[arm, output, i, j] * iterates[arm, output, j]
        out[i] = total


@kernel
def _line_search(grams, arm, output, gradient):
    """The step that minimises the loss along the gradient; 0 where the loss is flat."""
    squares = 0.0
    curvature = 0.0
    for i in range(gradient.size):
        total = 0.0
        for j in range(gradient.size):
            total += grams[arm, output, i, j] * gradient[j]
        squares += gradient[i] * gradient[i]
        curvature += gradient[i] * total
    return squares / curvature if curvature > 0.0 else 0.0


@kernel
def look_around(state, followed, arm, output, step, v, chosen):
    """Lines 8 and 9 with the full gradient, and a new anchor if the support stays."""
    mu, support, size = state.mu[arm, output], state.support[arm, output], state.size[arm, output]
    rate = gradient_step(state, arm, output, step, v, chosen)
    if rate == 0.0:
        followed.settled[arm, output] = True
        return
    followed.elsewhere[arm, output] = np.inf
    if size < support.size or not stays(v, support):
        state.size[arm, output] = threshold(v, mu, support, size, chosen)
        return
    anchor = followed.anchor[arm, output]
    for i in range(size):
        c = support[i]
        anchor[i] = mu[c]
        mu[c] = v[c]
        v[c] = 0.0
    followed.elsewhere[arm, output] = largest_size(v) / rate
    _gather(state, followed, arm, output)


@kernel
def _gather(state, followed, arm, output):
    """Copy the support's parts of S, C and the iterate, and what follows for the anchor."""
    support, gram = state.support[arm, output], followed.gram[arm, output]
    for i in range(support.size):
        c = support[i]
        followed.moment[arm, output, i] = state.moment[arm, output, c]
        followed.mu[arm, output, i] = state.mu[arm, output, c]
        row = state.gram[arm, c]
        for j in range(support.size):
            gram[i, j] = row[support[j]]
        for n in range(state.waiting[arm]):
            waiting = state.rows[arm, n]
            for j in range(support.size):
                gram[i, j] += waiting[c] * waiting[support[j]]
    _gradient(followed.gram, followed.anchor, followed.moment, arm, output, followed.at_anchor[arm, output])
