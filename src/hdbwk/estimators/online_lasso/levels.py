"""
The levels of the online LASSO: one iterate, of which each level has an output of its own.

In a round one of the outputs is computed anew, in turn; the others forecast as they are. What is returned as the
estimate is computed from today's sums.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel, lean_kernel
from hdbwk.core.validation import Floats
from hdbwk.estimators.levels import Levels, age, choose, note_path
from hdbwk.estimators.online_ht.rows import count, fitted, row
from hdbwk.estimators.online_ht.store import Integers
from hdbwk.estimators.online_lasso.output import write_output
from hdbwk.estimators.online_lasso.rounds import play_round


class Outputs(NamedTuple):
    """The outputs of L levels for A arms with q responses each."""

    coef: Floats  # (A, q, d)            scratch, zeros between rounds
    support: Integers  # (A, q, L, s)    the coordinates of an output
    values: Floats  # (A, q, L, s)       its entries
    size: Integers  # (A, q, L)          how many of them
    turn: Integers  # (A,)               the level that is computed next
    rounds: Integers  # (1,)             t
    levels: Levels


def no_outputs(n_arms: int, dim: int, levels: Levels) -> Outputs:
    """Zeros."""
    shape = (n_arms, *levels.errors.shape)
    entries = (*shape, int(levels.sizes.max()))
    return Outputs(
        coef=np.zeros((n_arms, levels.best.size, dim)),
        support=np.zeros(entries, dtype=np.int64),
        values=np.zeros(entries),
        size=np.zeros(shape, dtype=np.int64),
        turn=np.zeros(n_arms, dtype=np.int64),
        rounds=np.zeros(1, dtype=np.int64),
        levels=levels,
    )


@kernel
def play_levels(state, X, targets, weights, scale, sweeps, outputs, ridge):
    """As `rounds.play`, with a forecast before each row."""
    for n in range(count(X)):
        play_levels_round(state, row(X, n), 0, targets[n], weights[n], scale, sweeps, outputs, ridge)


@kernel
def play_levels_round(state, x, arm, targets, weight, scale, sweeps, outputs, ridge):
    """The levels of an arm are judged by its row, the iterate learns from it, and one output follows."""
    outputs.rounds[0] += 1
    if weight > 0.0 and outputs.levels.sizes.size > 1:
        _judge(outputs, arm, x, targets, weight)
    note_path(outputs.levels, outputs.rounds[0])
    play_round(state, x, arm, targets, weight, scale, sweeps)
    if state.weights[arm, 0] > 0.0:
        level = outputs.turn[arm]
        outputs.turn[arm] = (level + 1) % outputs.levels.sizes.size
        for k in range(targets.size):
            _follow(state, outputs, arm, k, level, ridge)


@lean_kernel
def _judge(outputs, arm, x, targets, weight):
    """Count the errors of all levels on a row that they have not seen."""
    levels, v = outputs.levels, outputs.coef
    age(levels, weight)
    for k in range(targets.size):
        for n in range(levels.sizes.size):
            size = outputs.size[arm, k, n]
            support, values = outputs.support[arm, k, n, :size], outputs.values[arm, k, n]
            for i in range(size):
                v[arm, k, support[i]] = values[i]
            levels.errors[k, n] += weight * (targets[k] - fitted(x, v[arm, k], support)) ** 2
            for i in range(size):
                v[arm, k, support[i]] = 0.0
    choose(levels)


@kernel
def _follow(state, outputs, arm, k, level, ridge):
    """Compute the output of a level."""
    out, support, values = outputs.coef[arm, k], outputs.support[arm, k, level], outputs.values[arm, k, level]
    write_output(state, arm, k, outputs.levels.sizes[level], 0.0, ridge, out)
    size = 0
    for i in np.flatnonzero(out):
        support[size], values[size] = i, out[i]
        out[i] = 0.0
        size += 1
    outputs.size[arm, k, level] = size
