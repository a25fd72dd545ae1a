"""The estimates (mu_a, W_a) of all arms on the coordinates where they are not zero."""

from typing import NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel


class Arms(NamedTuple):
    """Arm a has the coordinates column[k] with reward and consumptions values[k], start[a] <= k < start[a + 1]."""

    start: np.ndarray  # (K + 1,)
    column: np.ndarray  # (U,)
    values: np.ndarray  # (U, m + 1)


class Net(NamedTuple):
    """The K vectors mu_a - W_a' eta, on the same coordinates."""

    start: np.ndarray  # (K + 1,)
    column: np.ndarray  # (U,)
    values: np.ndarray  # (U,)


@kernel
def sparse_arms(mu, W):
    """The coordinates in use of mu (K, d) and W (K, m, d)."""
    K, m, d = W.shape
    start = np.zeros(K + 1, np.int64)
    column = np.empty(K * d, np.int64)
    for a in range(K):
        size = np.abs(mu[a])
        for i in range(m):
            for k in range(d):
                size[k] += abs(W[a, i, k])
        found = np.flatnonzero(size)
        start[a + 1] = start[a] + found.size
        column[start[a] : start[a + 1]] = found
    values = np.empty((start[K], m + 1))
    for a in range(K):
        for k in range(start[a], start[a + 1]):
            values[k, 0] = mu[a, column[k]]
            for i in range(m):
                values[k, 1 + i] = W[a, i, column[k]]
    return Arms(start, column[: start[K]].copy(), values)


@kernel
def rescaled(arms, reward, cost):
    """The rewards times `reward`, and the consumptions of resource i times cost[i]."""
    values = np.empty_like(arms.values)
    for k in range(arms.column.size):
        values[k, 0] = arms.values[k, 0] * reward
        for i in range(cost.size):
            values[k, 1 + i] = arms.values[k, 1 + i] * cost[i]
    return Arms(arms.start, arms.column, values)


@kernel
def mean_sizes(arms, weight, n):
    """Sums over the arms of |values| . weight / n: of the rewards, then of each resource."""
    sizes = np.zeros(arms.values.shape[1])
    for k in range(arms.column.size):
        for i in range(sizes.size):
            sizes[i] += abs(arms.values[k, i]) * weight[arms.column[k]] / n
    return sizes


@kernel
def respond(arms, a, x, out):
    """Reward and consumptions of arm a, nothing for the null arm K, for the context x."""
    out[:] = 0.0
    if a == arms.start.size - 1:
        return
    for k in range(arms.start[a], arms.start[a + 1]):
        entry = x[arms.column[k]]
        for i in range(out.size):
            out[i] += arms.values[k, i] * entry


@kernel
def score(net, a, x):
    """Net reward of arm a for the context x."""
    total = 0.0
    for k in range(net.start[a], net.start[a + 1]):
        total += net.values[k] * x[net.column[k]]
    return total


@kernel
def net_rewards(arms, eta):
    """The K vectors mu_a - W_a' eta."""
    values = np.empty(arms.column.size)
    for k in range(values.size):
        values[k] = arms.values[k, 0]
        for i in range(eta.size):
            values[k] -= eta[i] * arms.values[k, 1 + i]
    return Net(arms.start, arms.column, values)


@kernel
def reward_vectors(arms):
    """The K vectors mu_a."""
    return Net(arms.start, arms.column, arms.values[:, 0].copy())


@kernel
def reward_drift(arms, mu, weight):
    """A bound for the sum over the samples of the largest change of a reward since the parameters were mu (K, d)."""
    change = np.abs(dense_rewards(arms, mu.shape[1]) - mu)
    total = 0.0
    for a in range(mu.shape[0]):
        for k in range(weight.size):
            total += change[a, k] * weight[k]
    return total


@kernel
def dense_rewards(arms, d):
    """The reward parameters mu (K, d)."""
    mu = np.zeros((arms.start.size - 1, d))
    for a in range(mu.shape[0]):
        for k in range(arms.start[a], arms.start[a + 1]):
            mu[a, arms.column[k]] = arms.values[k, 0]
    return mu
