"""The laws of instances that only the field has: noise with heavy tails, and the hard instance of TH-Lasso."""

import numpy as np
import pytest

from hdbwk import rng
from hdbwk.environments import BanditInstance, CBwKInstance, TwoGroups
from hdbwk.environments.noise import standard_noise


def test_noise_has_mean_0_and_variance_1_with_any_tails():
    for degrees in (None, 5.0, 30.0):
        noise = standard_noise(rng(1, "noise"), (200_000,), degrees)
        assert abs(noise.mean()) < 0.02
        assert noise.var() == pytest.approx(1, rel=0.05)


def test_students_noise_has_heavier_tails_than_the_gaussian():
    share = [np.mean(np.abs(standard_noise(rng(1, "tails"), (200_000,), degrees)) > 5) for degrees in (None, 3.0)]
    assert share[0] < 1e-4
    assert share[1] > 1e-3


def test_the_law_of_the_noise_changes_nothing_else_of_an_instance():
    for kind, sizes in ((BanditInstance, {"n_arms": 3}), (CBwKInstance, {"n_arms": 3, "n_resources": 2})):
        gaussian, heavy = (kind.draw(rng(1, "law"), 20, 3, degrees=degrees, **sizes) for degrees in (None, 3.0))
        one, two = (instance.sample(50, rng(1, "stream")) for instance in (gaussian, heavy))
        np.testing.assert_array_equal(gaussian.mu, heavy.mu)
        np.testing.assert_array_equal(one.contexts, two.contexts)
        np.testing.assert_array_equal(one.means, two.means)
        assert (one.rewards != two.rewards).all()


def test_noise_without_a_variance_is_refused():
    with pytest.raises(ValueError, match=r"degrees = 2\.0 must be above 2"):
        BanditInstance.draw(rng(1, "law"), 20, 3, n_arms=2, degrees=2.0)


def test_the_arms_of_two_groups_are_worth_what_its_authors_say():
    law = TwoGroups(30)
    means = law.draw(2000, rng(1, "groups")) @ law.mu.T
    groups, counts = np.unique(means.round(12), axis=0, return_counts=True)
    np.testing.assert_allclose(groups, [[0.1, 1.0, 0.95], [1.0, 0.1, 0.95]])
    assert counts[1] / 2000 == pytest.approx(0.3, abs=0.03)


def test_features_of_different_arms_are_correlated_as_asked():
    x = TwoGroups(30, correlation=0.7).draw(20_000, rng(1, "groups")).reshape(-1, 3, 10)
    assert np.corrcoef(x[:, 0, 5], x[:, 1, 5])[0, 1] == pytest.approx(0.7, abs=0.02)
    assert abs(np.corrcoef(x[:, 0, 5], x[:, 0, 6])[0, 1]) < 0.03


def test_a_longer_draw_begins_with_the_same_contexts():
    short, long = (TwoGroups(30).draw(n, rng(1, "groups")) for n in (10, 25))
    np.testing.assert_array_equal(short, long[:10])


@pytest.mark.parametrize(("dim", "correlation"), [(10, 0.7), (9, 0.7), (30, 1.0), (30, -0.1)])
def test_two_groups_that_cannot_be_are_refused(dim, correlation):
    with pytest.raises(ValueError, match=r"dim = |correlation = "):
        TwoGroups(dim, correlation)
