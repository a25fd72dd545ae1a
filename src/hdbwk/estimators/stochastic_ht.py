"""Hard thresholding with the gradient of one row: Algorithm 1 without its averaging, for comparison."""

from typing import Literal

import numpy as np
from pydantic import Field

from hdbwk.core.spec import Size, Spec
from hdbwk.core.validation import Floats, checked_pull, finite_vector


class StochasticHTParams(Spec):
    """Parameters of `StochasticHTBank`."""

    name: Literal["stochastic_ht"] = "stochastic_ht"
    sparsity: Size = Field(10, description="s0, non-zero entries of the estimates")
    working_sparsity: Size = Field(20, description="s, entries kept between rounds")


class StochasticHTBank:
    """
    K arms with q responses each: mu <- H_s(mu - beta w x (x'mu - y)), the projected stochastic gradient.

    The step is that of normalised least mean squares, 1 / (w |x|^2), until the arm was pulled d times, and falls like
    1 / n after n pulls.
    """

    def __init__(self, params: StochasticHTParams, n_arms: int, n_outputs: int, dim: int) -> None:
        self.sparsity, self.working_sparsity = min(params.sparsity, dim), min(params.working_sparsity, dim)
        self.working: Floats = np.zeros((n_arms, n_outputs, dim))
        self.pulls = np.zeros(n_arms, dtype=np.int64)

    @property
    def coef(self) -> Floats:
        """The s0-sparse estimates, of shape (K, q, d)."""
        return _largest(self.working, self.sparsity)

    def predict(self, x: Floats) -> Floats:
        """The estimated responses (K, q) of all arms to a context."""
        return self.coef @ finite_vector("x", x, self.working.shape[2])

    def update(self, x: Floats, arm: int, targets: Floats, weight: float) -> None:
        """One step for the arm that was pulled; with weight 0, which the null arm (-1) has, for none."""
        n_arms, n_outputs, dim = self.working.shape
        x, targets = finite_vector("x", x, dim), finite_vector("targets", targets, n_outputs)
        arm, weight = checked_pull(arm, weight, n_arms)
        if weight == 0:
            return
        self.pulls[arm] += 1
        step = min(1.0, dim / self.pulls[arm]) / (x @ x)
        residuals = targets - self.working[arm] @ x
        self.working[arm] = _largest(self.working[arm] + step * residuals[:, None] * x, self.working_sparsity)


def _largest(vectors: Floats, s: int) -> Floats:
    """H_s: the s largest entries along the last axis, zeros elsewhere."""
    kept = np.argpartition(-np.abs(vectors), s - 1, axis=-1)[..., :s]
    result = np.zeros_like(vectors)
    np.put_along_axis(result, kept, np.take_along_axis(vectors, kept, axis=-1), axis=-1)
    return result
