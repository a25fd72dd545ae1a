"""ArmBank is K (1 + m) textbook regressions, whatever its rounds leave out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import TextbookOnlineHT

from hdbwk import rng
from hdbwk.estimators.bank import ArmBank


def play(seed, bank, arms, outputs, dim, sparsity, working, step, pulls, noise=0.3):
    """Feed the same rows to a bank and to textbook regressions; the textbook's outputs."""
    generator = rng(seed, "bank")
    truth = np.zeros((arms, outputs, dim))
    truth[..., :3] = generator.uniform(0.2, 1.0, (arms, outputs, 3))
    models = [[TextbookOnlineHT(dim, sparsity, working, step) for _ in range(outputs)] for _ in range(arms)]
    estimates = np.zeros((arms, outputs, dim))
    for arm in pulls:
        x = generator.standard_normal(dim)
        targets = truth[arm] @ x + noise * generator.standard_normal(outputs)
        weight = float(generator.choice([1.0, 1.25, 5.0])) if arm >= 0 else 0.0
        bank.update(x, arm, targets, weight)
        for a in range(arms):
            for k in range(outputs):
                estimates[a, k] = models[a][k].update(x, targets[k], weight if a == arm else 0.0)
    return estimates


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    arms=st.integers(1, 3),
    outputs=st.integers(1, 3),
    dim=st.integers(3, 25),
    sparsity=st.integers(1, 6),
    extra=st.integers(0, 4),
    step=st.sampled_from(["normalized", 0.02]),
    n=st.integers(1, 90),
)
def test_it_equals_the_textbook(seed, arms, outputs, dim, sparsity, extra, step, n):
    sparsity, working = min(sparsity, dim), min(sparsity + extra, dim)
    bank = ArmBank(arms, outputs, dim, sparsity, working, step)
    pulls = rng(seed, "pulls").integers(-1, arms, size=n)
    estimates = play(seed, bank, arms, outputs, dim, sparsity, working, step, pulls)
    np.testing.assert_allclose(bank.coef, estimates, rtol=1e-8, atol=1e-10)
    np.testing.assert_array_equal(bank.coef != 0, estimates != 0)


@pytest.mark.parametrize("step", ["normalized", 0.05])
def test_arms_that_wait_converge_and_are_then_left_out_exactly(step):
    bank = ArmBank(2, 2, 30, 3, 3, step)
    pulls = [0, 1] * 60 + [1] * 400 + [0] * 5
    estimates = play(1, bank, 2, 2, 30, 3, 3, step, pulls, noise=0.1)
    np.testing.assert_allclose(bank.coef, estimates, rtol=1e-8, atol=1e-10)


def test_a_converged_arm_is_left_out_until_its_next_pull():
    bank = ArmBank(2, 1, 30, 3, 3)
    play(1, bank, 2, 1, 30, 3, 3, "normalized", [0, 1] * 60 + [1] * 200, noise=0.1)
    assert bank._converged[0, 0]
    assert not bank._converged[1, 0]
    bank.update(rng(2, "bank").standard_normal(30), 0, np.ones(1), 1.0)
    assert not bank._converged[0, 0]
