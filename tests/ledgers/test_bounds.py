"""The bounds are those of the theorems: their growth in each quantity, and a value by hand."""

import numpy as np
import pytest

from hdbwk import rng
from hdbwk.environments.contexts import PowerDecay
from hdbwk.ledgers import bounds
from hdbwk.ledgers.bounds import Law

LAW = Law(d=200, s0=10, K=5, m=10)
T = np.array([1e3, 2e3])


def exponent(values):
    return float(np.diff(np.log(values))[0] / np.log(2))


def test_sparse_est_by_hand():
    law = Law(d=100, s0=5, sigma=0.5, alpha=0.5)
    by_hand = 0.25 * 2 * np.log(2e5) * 5 * np.log(100) / (1 / 9) / 1000
    assert bounds.sparse_est(law, 1000.0) == pytest.approx(by_hand)


def test_the_error_falls_like_one_over_t_and_grows_like_one_over_p():
    assert exponent(bounds.sparse_est(LAW, T)) == pytest.approx(-1)
    third = bounds.sparse_est(LAW, T, bounds.inverse_mean_probability(T, 1.0, 1 / 3))
    assert exponent(third) == pytest.approx(-2 / 3)
    assert exponent(bounds.sparse_est(LAW, 1e3, np.array([1.0, 2.0]))) == pytest.approx(1)


def test_the_mean_of_inverse_probabilities():
    j = np.arange(1, 100_001)
    assert bounds.inverse_mean_probability(1e5, 0.5, 1 / 3) == pytest.approx(np.mean(j ** (1 / 3) / 0.5), rel=1e-3)


@pytest.mark.parametrize(
    ("bound", "power"),
    [
        (bounds.bandit_poor, 2 / 3),
        (bounds.bandit_rich, 1 / 2),
        (bounds.cbwk_general, 2 / 3),
        (bounds.cbwk_diverse, 1 / 2),
        (bounds.cbwk_margin, 1 / 2),
        (bounds.dual_term, 1 / 2),
        (bounds.resolving, 0),
    ],
)
def test_growth_in_the_horizon_is_the_theorem_s_up_to_logarithms(bound, power):
    far = np.array([1e30, 2e30])
    assert exponent(bound(LAW, far)) == pytest.approx(power, abs=0.05)


def test_growth_in_s0_and_phi_min():
    sparse, dense = Law(d=200, s0=5), Law(d=200, s0=10)
    assert bounds.sparse_est(dense, 1e3) == pytest.approx(2 * bounds.sparse_est(sparse, 1e3))
    alpha = Law(d=200, s0=5, alpha=1 / 3)  # phi_min = 1/2
    independent = Law(d=200, s0=5, alpha=0.0)
    assert bounds.sparse_est(alpha, 1e3) == pytest.approx(4 * bounds.sparse_est(independent, 1e3))


def test_contexts_and_rewards_reach_their_bounds_about():
    X = PowerDecay(200, 0.5).draw(4000, rng(1))
    assert np.abs(X).max() == pytest.approx(LAW.D(4000.0), rel=0.1)
    mu = np.zeros(200)
    mu[::20] = 0.76
    assert np.abs(X @ mu).max() == pytest.approx(Law(d=200, s0=10).R(4000.0), rel=0.2)


def test_the_smallest_eigenvalue_is_that_of_the_covariance():
    assert np.linalg.eigvalsh(PowerDecay(200, 0.5).covariance)[0] == pytest.approx(LAW.phi_min, rel=1e-3)


def test_a_law_is_read_from_the_parameters_of_an_experiment():
    spec = {"dim": 7, "sparsity": 3, "n_arms": 2, "noise": 0.1, "correlation": 0.2, "signal": {"low": 0.5, "high": 1.0}}
    law = Law.of(spec)
    assert (law.d, law.s0, law.K, law.sigma, law.alpha) == (7, 3, 2, 0.1, 0.2)
    assert law.size == pytest.approx(np.sqrt(7 / 12))
