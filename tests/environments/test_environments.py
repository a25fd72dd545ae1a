"""Contexts, signals and streams follow the laws that they claim."""

import numpy as np
import pytest

from hdbwk import rng
from hdbwk.environments import BanditInstance, PowerDecay, RecoveryInstance, SignalLaw


@pytest.mark.parametrize("alpha", [-0.4, 0.0, 0.5, 0.9])
def test_contexts_have_power_decaying_covariance(alpha):
    X = PowerDecay(6, alpha).draw(200_000, rng(1, "contexts"))
    lags = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    np.testing.assert_allclose(X.T @ X / len(X), alpha**lags, atol=5 * np.sqrt(2 / len(X)))


def test_bounded_contexts_stay_in_bounds():
    assert np.abs(PowerDecay(20, 0.5, bound=1.5).draw(500, rng(1, "bounded"))).max() == 1.5


def test_signals_are_sparse_and_of_the_right_size():
    mu = SignalLaw(0.5, 1.0).vector(300, 40, rng(1, "signal"))
    sizes = np.abs(mu[mu != 0])
    assert sizes.size == 40
    assert sizes.min() >= 0.5
    assert sizes.max() <= 1.0
    assert (mu < 0).any()
    assert (mu > 0).any()
    assert (SignalLaw(signs="positive").vector(300, 40, rng(1, "signal")) >= 0).all()


def test_rewards_are_linear_with_the_given_noise():
    instance = RecoveryInstance.draw(rng(1, "instance"), dim=30, sparsity=3, noise=0.5)
    stream = instance.sample(20_000, rng(1, "stream"))
    residuals = stream.rewards - stream.contexts @ instance.mu
    assert residuals.std() == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"dim": 0, "sparsity": 1}, "sparsity = 1 must lie in 1..dim = 0"),
        ({"dim": 5, "sparsity": 6}, "sparsity = 6 must lie in 1..dim = 5"),
        ({"dim": 5, "sparsity": 0}, "sparsity = 0"),
        ({"dim": 5, "sparsity": 2, "noise": -1.0}, r"noise = -1\.0"),
        ({"dim": 5, "sparsity": 2, "correlation": 1.0}, r"correlation = 1\.0"),
        ({"dim": 5, "sparsity": 2, "bound": 0.0}, r"bound = 0\.0"),
    ],
)
def test_impossible_instances_are_refused(params, message):
    with pytest.raises(ValueError, match=message):
        RecoveryInstance.draw(rng(1), **params)


def test_impossible_signals_are_refused():
    with pytest.raises(ValueError, match=r"signal\.low = 2"):
        SignalLaw(low=2.0, high=1.0)
    with pytest.raises(ValueError, match=r"signal\.signs = 'odd'"):
        SignalLaw(signs="odd")


@pytest.mark.parametrize("draw", [RecoveryInstance.draw, lambda *a, **k: BanditInstance.draw(*a, n_arms=3, **k)])
def test_a_longer_trial_begins_with_the_rounds_of_a_shorter_one(draw):
    instance = draw(rng(3, "instance"), dim=12, sparsity=2)
    short, long = instance.sample(50, rng(3, "stream")), instance.sample(80, rng(3, "stream"))
    np.testing.assert_array_equal(short.contexts, long.contexts[:50])
    np.testing.assert_allclose(short.rewards, long.rewards[:50], rtol=1e-12)
