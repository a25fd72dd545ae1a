"""Policies that are told a part of the truth."""

from types import SimpleNamespace

import numpy as np

from hdbwk import rng
from hdbwk.estimators.registry import OnlineHTParams, make_bank
from hdbwk.policies.parts.known import KnownBank


def bank(rewards):
    generator = rng(1)
    truth = SimpleNamespace(mu=generator.standard_normal((2, 5)), W=generator.standard_normal((2, 3, 5)))
    return KnownBank(make_bank(OnlineHTParams(sparsity=5, working_sparsity=5), 2, 4, 5), truth, rewards), truth


def test_what_is_known_is_true_and_the_rest_is_learned():
    known, truth = bank(rewards=False)
    x = np.ones(5)
    np.testing.assert_allclose(known.coef[:, 1:], truth.W)
    np.testing.assert_allclose(known.predict(x)[:, 1:], truth.W @ x)
    assert not known.coef[:, 0].any()
    known.update(x, 0, np.ones(4), 1.0)
    assert known.coef[0, 0].any()
    np.testing.assert_allclose(known.coef[:, 1:], truth.W)


def test_all_may_be_known():
    known, truth = bank(rewards=True)
    np.testing.assert_allclose(known.predict(np.ones(5))[:, 0], truth.mu @ np.ones(5))
