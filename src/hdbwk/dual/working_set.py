"""Which samples are fixed to an arm, which are in the working set, and what each kind contributes."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.dual.arms import net_rewards, respond, score
from hdbwk.dual.double_double import two_sum
from hdbwk.dual.samples import ALL_ARMS, FREE, NO_ARM


class Sums(NamedTuple):
    """The sum of x_j over the samples fixed to each arm, and what its running sums lost by rounding."""

    total: np.ndarray  # (K, d)
    lost: np.ndarray  # (K, d), to be added for the true sum


class FixedPart(NamedTuple):
    """What the fixed samples contribute, linear in the prices: a constant, and the capacity that they leave."""

    constant: float
    left: np.ndarray  # (m,)
    lost: float  # what the lower bound may miss because of what the sums lost


class Pairs(NamedTuple):
    """The (sample, arm) pairs of the working set; sample[g] has the pairs groups[g] to groups[g + 1] - 1."""

    reward: np.ndarray  # (P,)
    cost: np.ndarray  # (P, m)
    arm: np.ndarray  # (P,)
    groups: np.ndarray  # (G + 1,)
    sample: np.ndarray  # (G,)


@kernel
def accumulate(sums, arm, sign, x):
    """Add sign x to the sum of an arm."""
    total, lost = sums.total[arm], sums.lost[arm]
    for k in range(x.size):
        total[k], error = two_sum(total[k], sign * x[k])
        lost[k] += error


@kernel
def assign(samples, sums, j, arm):
    """Fix sample j to an arm (or FREE it) and keep the sums."""
    K = sums.total.shape[0]
    if 0 <= samples.fixed[j] < K:
        accumulate(sums, samples.fixed[j], -1.0, samples.rows[j])
    if 0 <= arm < K:
        accumulate(sums, arm, 1.0, samples.rows[j])
    samples.fixed[j] = arm


@kernel
def fix_all(samples, sums, n):
    """Fix every sample to its best arm."""
    for j in range(n):
        if samples.fixed[j] != samples.best_arm[j]:
            assign(samples, sums, j, samples.best_arm[j])


@kernel
def settle(samples, sums, n, theta):
    """Fix every sample to its best arm, except for margins up to theta; returns how many stay free."""
    fixed, best_arm, margin = samples.fixed[:n], samples.best_arm[:n], samples.margin[:n]
    samples.settled_margin[:n] = margin
    samples.also[:n] = NO_ARM
    free = 0
    for j in range(n):
        if margin[j] <= theta:
            free += 1
            if fixed[j] != FREE:
                assign(samples, sums, j, FREE)
        elif fixed[j] != best_arm[j]:
            assign(samples, sums, j, best_arm[j])
    return free


@kernel
def admit(samples, sums, n, theta, limit):
    """Free samples whose best arm is not their fixed arm ("flips") and nearly tied ones; returns the flips.

    More flips than `limit` mean that the prices overshot. Then only those are freed that flip first on the
    way from the settled prices to these, where a margin falls from its settled value to minus its value now.
    """
    fixed, margin = samples.fixed[:n], samples.margin[:n]
    flips = np.flatnonzero((fixed != FREE) & (fixed != samples.best_arm[:n]))
    overshot = flips.size > limit
    before = samples.settled_margin[flips]
    when = before / np.maximum(before + margin[flips], np.finfo(np.float64).tiny)
    last = np.partition(when, limit)[limit] if overshot else np.inf
    for j in flips[when <= last]:
        assign(samples, sums, j, FREE)
        samples.also[j] = samples.best_arm[j]
    if not overshot:
        for j in range(n):
            if fixed[j] != FREE and margin[j] <= theta:
                assign(samples, sums, j, FREE)
    return flips.size


@kernel
def widen(samples, pairs):
    """Keep the best arm of the working samples where it was left out; the second time, keep all arms."""
    for g in range(pairs.sample.size):
        j = pairs.sample[g]
        known = False
        for p in range(pairs.groups[g], pairs.groups[g + 1]):
            known |= pairs.arm[p] == samples.best_arm[j]
        if not known:
            samples.also[j] = samples.best_arm[j] if samples.also[j] == NO_ARM else ALL_ARMS


@kernel
def refresh(samples, sums, n):
    """Recompute the sums from scratch, against the drift of rounding."""
    K = sums.total.shape[0]
    sums.total[:] = 0.0
    sums.lost[:] = 0.0
    for j in range(n):
        if 0 <= samples.fixed[j] < K:
            accumulate(sums, samples.fixed[j], 1.0, samples.rows[j])


@kernel
def round_sums(samples, sums, n):
    """Recompute the sums from scratch, each the double next to the true sum."""
    refresh(samples, sums, n)
    for a in range(sums.total.shape[0]):
        for k in range(sums.total.shape[1]):
            sums.total[a, k], sums.lost[a, k] = two_sum(sums.total[a, k], sums.lost[a, k])


@kernel
def fixed_part(arms, sums, n, rho):
    """What the fixed samples contribute; in it the prices count at most twice, see `interior_point`."""
    m = rho.size
    constant, left = 0.0, rho.copy()
    used, lost = np.empty(m + 1), np.zeros(m + 1)
    for a in range(sums.total.shape[0]):
        respond(arms, a, sums.total[a], used)
        constant += used[0] / n
        left -= used[1:] / n
        for k in range(arms.start[a], arms.start[a + 1]):
            missed = abs(sums.lost[a, arms.column[k]]) / n
            for i in range(m + 1):
                lost[i] += abs(arms.values[k, i]) * missed
    return FixedPart(constant, left, lost[0] + 2.0 * lost[1:].max())


@kernel
def working_pairs(samples, n, arms, eta, reach):
    """For every working sample the arms, null arm included, within `reach` of its best one at eta."""
    net = net_rewards(arms, eta)
    K, m = net.start.size - 1, eta.size
    free = np.flatnonzero(samples.fixed[:n] == FREE)
    data = np.empty((free.size * (K + 1), m + 1))
    arm = np.empty(len(data), np.int64)
    groups = np.zeros(free.size + 1, np.int64)
    scores = np.zeros(K + 1)
    end = 0
    for g in range(free.size):
        x, also = samples.rows[free[g]], samples.also[free[g]]
        for a in range(K):
            scores[a] = score(net, a, x)
        lowest = -np.inf if also == ALL_ARMS else scores.max() - reach
        for a in range(K + 1):
            if scores[a] >= lowest or a == also:
                respond(arms, a, x, data[end])
                arm[end] = a
                end += 1
        groups[g + 1] = end
    return Pairs(data[:end, 0].copy(), data[:end, 1:].copy(), arm[:end], groups, free)
