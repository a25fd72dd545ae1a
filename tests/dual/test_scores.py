"""Scores that are kept from one pass to the next are those of a fresh pass, to the last bit."""

import numpy as np
import pytest

from hdbwk.dual.arms import net_rewards, sparse_arms
from hdbwk.dual.samples import allocate, append, enlarge
from hdbwk.dual.scores import scan

DIM, ARMS, RESOURCES = 30, 4, 3


def filled(contexts):
    """Samples of these contexts that were never scored."""
    samples = allocate(len(contexts), DIM, ARMS)
    append(samples, np.zeros(DIM), 0, contexts)
    return samples


def outcome(samples, n, net):
    """All that a pass leaves."""
    value = scan(samples, n, net, 2.0)
    return value, *(array[:n].copy() for array in (samples.best_arm, samples.second_arm, samples.margin))


@pytest.mark.parametrize("seed", range(3))
def test_kept_scores_are_those_of_a_fresh_pass(seed):
    """Arms learn, prices move, supports change, samples arrive and the store grows."""
    rng = np.random.default_rng(seed)
    contexts = rng.normal(size=(1400, DIM))
    mu, W = rng.normal(size=(ARMS, DIM)), rng.normal(size=(ARMS, RESOURCES, DIM))
    lam, n, samples = np.zeros(RESOURCES), 100, filled(contexts[:100])
    for _ in range(40):
        event = rng.integers(5)
        arm = rng.integers(ARMS)
        if event == 0:
            mu[arm], W[arm] = rng.normal(size=DIM), rng.normal(size=(RESOURCES, DIM))
        elif event == 1:
            lam = rng.uniform(size=RESOURCES)
        elif event == 2:
            mu[arm, rng.integers(DIM)] = W[arm, :, rng.integers(DIM)] = 0.0
        elif event == 3:
            more = rng.integers(1, 60)
            if n + more > len(samples.rows):
                samples = enlarge(samples, n, n + more)
            append(samples, np.zeros(DIM), n, contexts[n : n + more])
            n += more
        seen = n if event < 4 else n // 2  # a level of fewer samples
        net = net_rewards(sparse_arms(mu, W), lam)
        for kept, fresh in zip(outcome(samples, seen, net), outcome(filled(contexts[:n]), seen, net), strict=True):
            np.testing.assert_array_equal(kept, fresh)
