"""The net rewards of all arms for all samples, and the pass over the samples that compares them.

A score depends on its arm through the vector mu_a - W_a' lam alone. In most rounds the prices stay as they are and one
arm learns, so the scores of the others are kept.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel

BLOCK = 512  # samples compared together: their scores stay in the first-level cache


class Scores(NamedTuple):
    """Row a has the scores of arm a for its first scored[a] samples, at the vector net[a]."""

    net: np.ndarray  # (K, d)
    scored: np.ndarray  # (K,)
    values: np.ndarray  # (K, capacity)


@kernel
def scan(samples, n, net, per_unit):
    """One pass: best arm (K = null), second best and the margin between them; returns the mean best score.

    Margins and mean are multiplied by `per_unit`.
    """
    update_scores(samples, n, net)
    values = samples.scores.values
    K = values.shape[0]
    first, second, totals = np.empty(BLOCK), np.empty(BLOCK), np.zeros(BLOCK)
    for lo in range(0, n, BLOCK):
        hi = min(lo + BLOCK, n)
        first[:] = 0.0  # the null arm
        second[:] = -np.inf
        best_arm, second_arm = samples.best_arm[lo:hi], samples.second_arm[lo:hi]
        best_arm[:] = K
        second_arm[:] = K
        for a in range(K):
            scores = values[a, lo:hi]
            for j in range(hi - lo):
                score, top, arm = scores[j], first[j], best_arm[j]
                loser, loser_arm = (top, arm) if score > top else (score, a)
                first[j], best_arm[j] = (score, a) if score > top else (top, arm)
                second_arm[j] = loser_arm if loser > second[j] else second_arm[j]
                second[j] = loser if loser > second[j] else second[j]
        margin = samples.margin[lo:hi]
        for j in range(hi - lo):
            margin[j] = (first[j] - second[j]) * per_unit
            totals[j] += first[j] * per_unit
    return totals.sum() / n


@kernel
def update_scores(samples, n, net):
    """Score the arms whose vector moved for all samples, the others for the new ones."""
    kept = samples.scores
    for a in range(kept.scored.size):
        if moved(kept.net[a], net, a):
            kept.scored[a] = 0
            kept.net[a] = 0.0
            for k in range(net.start[a], net.start[a + 1]):
                kept.net[a, net.column[k]] = net.values[k]
        for lo in range(kept.scored[a], n, BLOCK):
            score_arm(samples.columns, lo, min(lo + BLOCK, n), net, a, kept.values[a])
        kept.scored[a] = max(kept.scored[a], n)


@kernel
def moved(old, net, a):
    """Whether arm a has another vector than the old one."""
    at, equal = 0, True
    for k in range(net.start[a], net.start[a + 1]):
        for other in range(at, net.column[k]):
            equal &= old[other] == 0.0
        equal &= old[net.column[k]] == net.values[k]
        at = net.column[k] + 1
    for other in range(at, old.size):
        equal &= old[other] == 0.0
    return not equal


@kernel
def score_arm(columns, lo, hi, net, a, scores):
    """scores[j] = net_a . x_j for the samples lo <= j < hi, by four columns at a time."""
    out = scores[lo:hi]
    out[:] = 0.0
    k, end = net.start[a], net.start[a + 1]
    while k + 4 <= end:
        f0, f1, f2, f3 = net.values[k], net.values[k + 1], net.values[k + 2], net.values[k + 3]
        x0, x1 = columns[net.column[k], lo:hi], columns[net.column[k + 1], lo:hi]
        x2, x3 = columns[net.column[k + 2], lo:hi], columns[net.column[k + 3], lo:hi]
        for j in range(hi - lo):
            out[j] += (f0 * x0[j] + f1 * x1[j]) + (f2 * x2[j] + f3 * x3[j])
        k += 4
    while k < end:
        f0, x0 = net.values[k], columns[net.column[k], lo:hi]
        for j in range(hi - lo):
            out[j] += f0 * x0[j]
        k += 1


@kernel
def reward_scale(samples, n, rewards):
    """The mean over n samples of the largest absolute reward of an arm; `rewards` are the vectors mu_a."""
    scores, largest = np.empty(n), np.zeros(n)
    for a in range(rewards.start.size - 1):
        for lo in range(0, n, BLOCK):
            score_arm(samples.columns, lo, min(lo + BLOCK, n), rewards, a, scores)
        for j in range(n):
            largest[j] = max(largest[j], abs(scores[j]))
    return largest.sum() / n
