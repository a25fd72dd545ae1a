"""The estimates (mu_a, W_a) of all arms as sparse rows, and the passes over all samples that use them.

Row a (m + 1) holds mu_a, row a (m + 1) + 1 + i holds the consumption W_{a,i} of resource i.
"""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel

BLOCK = 512  # samples scored together: the scores of all arms stay in the first-level cache


class SparseArms(NamedTuple):
    """Compressed sparse rows: row r has the entries start[r] to start[r + 1] - 1 of column and values."""

    start: np.ndarray
    column: np.ndarray
    values: np.ndarray


@kernel
def sparse_rows(mu, W):
    """The non-zeros of mu (K, d) and W (K, m, d)."""
    K, m, d = W.shape
    start = np.zeros(K * (m + 1) + 1, np.int64)
    column = np.empty(mu.size + W.size, np.int64)
    values = np.empty(column.size)
    filled = 0
    for a in range(K):
        for i in range(m + 1):
            row = mu[a] if i == 0 else W[a, i - 1]
            for k in range(d):
                if row[k] != 0.0:
                    column[filled] = k
                    values[filled] = row[k]
                    filled += 1
            start[a * (m + 1) + i + 1] = filled
    return SparseArms(start, column[:filled], values[:filled])


@kernel
def rescaled(arms, reward, cost):
    """The reward rows times `reward`, and the rows of resource i times cost[i]."""
    m = cost.size
    values = np.empty(arms.values.size)
    for row in range(arms.start.size - 1):
        factor = reward if row % (m + 1) == 0 else cost[row % (m + 1) - 1]
        for k in range(arms.start[row], arms.start[row + 1]):
            values[k] = arms.values[k] * factor
    return SparseArms(arms.start, arms.column, values)


@kernel
def row_sizes(arms, m, weight, n):
    """Sums over the arms of |row| . weight / n: of the rewards, then of each resource."""
    sizes = np.zeros(m + 1)
    for row in range(arms.start.size - 1):
        sizes[row % (m + 1)] += absolute_dot(arms, row, weight) / n
    return sizes


@kernel
def longest_sum(arms, m):
    """How many terms at most a score, or a sum over arms or resources, has."""
    K = (arms.start.size - 1) // (m + 1)
    longest = 0
    for a in range(K):
        longest = max(longest, arms.start[(a + 1) * (m + 1)] - arms.start[a * (m + 1)])
    return longest + K + m


@kernel
def row_dot(arms, row, x):
    """Inner product of one row with a dense vector; unsigned indices spare the check whether they are negative."""
    total = 0.0
    for k in range(np.uint64(arms.start[row]), np.uint64(arms.start[row + 1])):
        total += arms.values[k] * x[np.uint64(arms.column[k])]
    return total


@kernel
def absolute_dot(arms, row, x):
    """Inner product of the absolute values of one row and of a dense vector."""
    total = 0.0
    for k in range(np.uint64(arms.start[row]), np.uint64(arms.start[row + 1])):
        total += abs(arms.values[k] * x[np.uint64(arms.column[k])])
    return total


@kernel
def net_rewards(arms, eta, d):
    """The K rows mu_a - W_a' eta, sparse again."""
    m = eta.size
    K = (arms.start.size - 1) // (m + 1)
    start = np.zeros(K + 1, np.int64)
    column = np.empty(K * d, np.int64)
    values = np.empty(K * d)
    end = 0
    for a in range(K):
        dense = np.zeros(d)
        for i in range(m + 1):
            factor = 1.0 if i == 0 else -eta[i - 1]
            row = a * (m + 1) + i
            for k in range(arms.start[row], arms.start[row + 1]):
                dense[arms.column[k]] += factor * arms.values[k]
        for j in np.flatnonzero(dense):
            column[end] = j
            values[end] = dense[j]
            end += 1
        start[a + 1] = end
    return SparseArms(start, column[:end], values[:end])


@kernel
def score_block(columns, lo, hi, net, scores):
    """scores[a, j - lo] = net_a . x_j for the samples lo <= j < hi, by four columns at a time."""
    for a in range(net.start.size - 1):
        out = scores[a, : hi - lo]
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
def scan(samples, n, net):
    """One pass: best arm (K = null) and margin to the second best; returns the mean best score."""
    K = net.start.size - 1
    scores = np.empty((K, BLOCK))
    total = 0.0
    for lo in range(0, n, BLOCK):
        hi = min(lo + BLOCK, n)
        score_block(samples.columns, lo, hi, net, scores)
        first = np.zeros(hi - lo)  # the null arm
        second = np.full(hi - lo, -np.inf)
        best_arm = samples.best_arm[lo:hi]
        best_arm[:] = K
        for a in range(K):
            for j in range(hi - lo):
                score, top = scores[a, j], first[j]
                loser = score if score < top else top
                second[j] = loser if loser > second[j] else second[j]
                best_arm[j] = a if score > top else best_arm[j]
                first[j] = score if score > top else top
        samples.margin[lo:hi] = first - second
        total += first.sum()
    return total / n


@kernel
def reward_scale(samples, n, arms, m):
    """The mean over n samples of the largest absolute reward of an arm."""
    rewards = net_rewards(arms, np.zeros(m), samples.rows.shape[1])
    K = rewards.start.size - 1
    scores = np.empty((K, BLOCK))
    total = 0.0
    for lo in range(0, n, BLOCK):
        hi = min(lo + BLOCK, n)
        score_block(samples.columns, lo, hi, rewards, scores)
        largest = np.zeros(hi - lo)
        for a in range(K):
            for j in range(hi - lo):
                size = abs(scores[a, j])
                largest[j] = size if size > largest[j] else largest[j]
        total += largest.sum()
    return total / n
