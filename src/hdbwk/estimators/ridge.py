"""Ridge regression for each arm, one row at a time: the linear baseline, and the regions of linCBwK."""

from typing import Literal

import numpy as np
from pydantic import Field

from hdbwk.core.compiled import kernel
from hdbwk.core.spec import Positive, Spec
from hdbwk.core.validation import Floats, checked_pull, finite_vector, positive_int


class RidgeParams(Spec):
    """Parameters of `RidgeBank`."""

    name: Literal["ridge"] = "ridge"
    penalty: Positive = Field(1.0, description="factor of |v|^2")


class RidgeBank:
    """K arms with q responses each: sum w (y - x'v)^2 + penalty |v|^2 is least over the rows of their arm."""

    def __init__(self, params: RidgeParams, n_arms: int, n_outputs: int, dim: int) -> None:
        n_arms, n_outputs = positive_int("n_arms", n_arms), positive_int("n_outputs", n_outputs)
        inverse = np.eye(positive_int("dim", dim)) / params.penalty
        self.inverse = np.tile(inverse, (n_arms, 1, 1))  # M_a^-1, where M_a = penalty I + sum w x x'
        self.coef: Floats = np.zeros((n_arms, n_outputs, dim))

    def predict(self, x: Floats) -> Floats:
        """The estimated responses (K, q) of all arms to a context."""
        return _predict(self.coef, finite_vector("x", x, self.coef.shape[2]))

    def norms(self, x: Floats) -> Floats:
        """sqrt(x' M_a^-1 x) for each arm: how far the context is from the pulls of the arm."""
        return _norms(self.inverse, finite_vector("x", x, self.coef.shape[2]))

    def update(self, x: Floats, arm: int, targets: Floats, weight: float) -> None:
        """Add a row to the sums of the arm that was pulled; with weight 0, which the null arm (-1) has, to none."""
        n_arms, n_outputs, dim = self.coef.shape
        x, targets = finite_vector("x", x, dim), finite_vector("targets", targets, n_outputs)
        arm, weight = checked_pull(arm, weight, n_arms)
        if weight > 0:
            _observe(self.inverse[arm], self.coef[arm], x, targets, weight)


@kernel
def _predict(coef, x):
    out = np.zeros(coef.shape[:2])
    for a in range(coef.shape[0]):
        out[a] = np.dot(coef[a], x)
    return out


@kernel
def _norms(inverse, x):
    out = np.zeros(inverse.shape[0])
    for a in range(out.size):
        out[a] = np.sqrt(max(np.dot(x, np.dot(inverse[a], x)), 0.0))
    return out


@kernel
def _observe(inverse, coef, x, targets, weight):
    """Sherman-Morrison: M^-1 -= w u u' / (1 + w x'u) with u = M^-1 x; the estimates move along u."""
    u = np.dot(inverse, x)
    scale = weight / (1.0 + weight * np.dot(x, u))
    for i in range(x.size):
        for j in range(x.size):
            inverse[i, j] -= scale * u[i] * u[j]
    for k in range(targets.size):
        residual = scale * (targets[k] - np.dot(coef[k], x))
        for i in range(x.size):
            coef[k, i] += residual * u[i]
