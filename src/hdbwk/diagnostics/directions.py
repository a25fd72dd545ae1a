"""Directions in which contexts may vary little."""

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import minimize
from scipy.special import expit

from hdbwk.diagnostics.eigenvalues import search
from hdbwk.diagnostics.sample import Floats

LOWEST = 3  # eigenvectors of the smallest eigenvalues
RANDOM = 20  # random sparse directions
RIDGE = 1e-4  # of the logistic fit
STARTS = 4  # of the search for a sparse direction


def sparse_direction(X: Floats, size: int) -> Floats:
    """The `size`-sparse unit vector v with the smallest mean of (v'x)^2 that was found."""
    return search(X.T @ X / max(len(X), 1), min(size, X.shape[1]), STARTS)[1]


def candidates(X: Floats, size: int, borders: list[Floats], rng: np.random.Generator) -> Floats:
    """Unit vectors: the lowest sparse direction first, lowest eigenvectors, the lowest axis, borders, random ones."""
    d = X.shape[1]
    gram = X.T @ X / max(len(X), 1)
    lowest = eigh(gram, subset_by_index=[0, min(LOWEST, d) - 1])[1].T
    sparse = search(gram, min(size, d), STARTS)[1]
    axis = np.eye(d)[np.diag(gram).argmin()]
    random = np.zeros((RANDOM, d))
    for row in random:
        row[rng.choice(d, min(size, d), replace=False)] = rng.standard_normal(min(size, d))
    directions = np.vstack([sparse, lowest, axis, random, *(border for border in borders if border.any())])
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def most_one_sided(X: Floats) -> Floats:
    """A direction v with x'v < 0 for as many contexts as a logistic fit finds: all of them, if they lie in a cone."""
    scale = np.sqrt((X**2).mean()) or 1.0
    X = X / scale

    def loss(v: Floats) -> tuple[float, Floats]:
        scores = X @ v
        value = np.logaddexp(0.0, scores).mean() + RIDGE * v @ v
        return value, X.T @ expit(scores) / len(X) + 2 * RIDGE * v

    start = -X.mean(axis=0)
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
