"""Algorithm 1 without averaging: what it does in one round, and that averaging is what it lacks."""

import numpy as np

from hdbwk import rng
from hdbwk.estimators.registry import OnlineHTParams, make_bank
from hdbwk.estimators.stochastic_ht import StochasticHTParams


def test_one_round_by_hand():
    bank = make_bank(StochasticHTParams(sparsity=1, working_sparsity=2), 2, 1, 3)
    bank.update(np.array([1.0, -2.0, 2.0]), 1, np.array([9.0]), 4.0)
    assert bank.working[1, 0].tolist() == [0.0, -2.0, 2.0]  # 9 / |x|^2 times x, less its smallest entry
    assert np.count_nonzero(bank.coef[1, 0]) == 1
    assert not bank.working[0].any()


def test_a_pull_of_the_null_arm_teaches_nothing():
    bank = make_bank(StochasticHTParams(sparsity=1, working_sparsity=1), 1, 1, 3)
    bank.update(np.ones(3), -1, np.ones(1), 0.0)
    assert not bank.working.any()


def test_averaging_brings_the_error_far_down():
    generator, truth = rng(1), np.zeros((1, 4, 30))
    truth[:, :, :3] = 0.8
    sizes = {"sparsity": 3, "working_sparsity": 6}
    banks = [make_bank(params(**sizes), 1, 4, 30) for params in (StochasticHTParams, OnlineHTParams)]
    for _ in range(2000):
        x = generator.standard_normal(30)
        targets = truth[0] @ x + 0.5 * generator.standard_normal(4)
        for bank in banks:
            bank.update(x, 0, targets, 1.0)
    stochastic, averaged = (((bank.coef - truth) ** 2).sum(axis=2).mean() for bank in banks)
    assert stochastic > 3 * averaged
