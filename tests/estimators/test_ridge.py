"""The ridge bank solves the normal equations of each arm."""

import numpy as np

from hdbwk import rng
from hdbwk.estimators.ridge import RidgeBank, RidgeParams

ARMS, OUTPUTS, DIM, PENALTY = 3, 2, 6, 0.7


def test_estimates_and_norms_are_those_of_the_normal_equations():
    generator = rng(1, "ridge")
    n = 40
    X, targets = generator.standard_normal((n, DIM)), generator.standard_normal((n, OUTPUTS))
    arms, weights = generator.integers(-1, ARMS, n), generator.choice([0.5, 1.0, 4.0], n)
    weights[arms < 0] = 0.0
    bank = RidgeBank(RidgeParams(penalty=PENALTY), ARMS, OUTPUTS, DIM)
    for row in zip(X, arms, targets, weights, strict=True):
        bank.update(*row)
    x = generator.standard_normal(DIM)
    for arm in range(ARMS):
        W = np.diag(weights * (arms == arm))
        matrix = PENALTY * np.eye(DIM) + X.T @ W @ X
        np.testing.assert_allclose(bank.coef[arm], np.linalg.solve(matrix, X.T @ W @ targets).T, rtol=1e-9)
        np.testing.assert_allclose(bank.norms(x)[arm], np.sqrt(x @ np.linalg.solve(matrix, x)), rtol=1e-9)
    np.testing.assert_allclose(bank.predict(x), bank.coef @ x, rtol=1e-12)
