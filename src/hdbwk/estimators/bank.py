"""One Online HT for each arm, updated together: what Algorithms 2, 3 and 4 learn with."""

from collections.abc import Callable, Iterator
from typing import Literal, Self

import numpy as np
from pydantic import Field, model_validator

from hdbwk.core.compiled import kernel
from hdbwk.core.spec import Positive, Size, Spec
from hdbwk.core.validation import checked_pull, finite_vector, positive_int
from hdbwk.estimators.kernels import Floats, descend, empty_state, observe
from hdbwk.estimators.selection import largest
from hdbwk.estimators.steps import LINE_SEARCH, Step, checked_step


class OnlineHTParams(Spec):
    """Parameters of `ArmBank`."""

    name: Literal["online_ht"] = "online_ht"
    sparsity: Size = Field(10, description="s0, non-zero entries of the estimates")
    working_sparsity: Size | None = Field(10, description="s, entries kept between rounds; null means 2 s0")
    step: Literal["normalized", "theory"] | Positive = Field("normalized", description="beta_t of Algorithm 1")
    kappa: Positive | None = Field(None, description="condition number, for `step: theory`")
    phi_max: Positive | None = Field(None, description="largest sparse eigenvalue, for `step: theory`")

    @model_validator(mode="after")
    def theory_knows_the_covariance(self) -> Self:
        checked_step(self.step, self.kappa, self.phi_max)
        return self

    def misfits(self, dim: int, largest_eigenvalue: Callable[[int], float]) -> Iterator[str]:
        """What does not go with contexts of a dimension, and a bound on E x x' on supports of a size."""
        for key in ("sparsity", "working_sparsity"):
            if (getattr(self, key) or 0) > dim:
                yield f"{key} = {getattr(self, key)} exceeds dim = {dim}"
        beta = checked_step(self.step, self.kappa, self.phi_max)
        largest = largest_eigenvalue(min(self.working_sparsity or 2 * self.sparsity, dim))
        if beta != LINE_SEARCH and beta * largest >= 1:
            yield f"step = {self.step!r} diverges: beta = {beta:g} must be below {1 / largest:.3g}"


class ArmBank:
    """
    K arms with q responses each (the reward, then the m consumptions), every one of them by Algorithm 1.

    Parameters
    ----------
    n_arms, n_outputs, dim : int
        K, q, d.
    sparsity : int
        s0, non-zero entries of the output, capped at d.
    working_sparsity : int or None
        s, entries kept between rounds, capped at d; None means 2 s0.
    step, kappa, phi_max
        As for `hdbwk.OnlineHT`.
    """

    def __init__(
        self,
        n_arms: int,
        n_outputs: int,
        dim: int,
        sparsity: int,
        working_sparsity: int | None = None,
        step: Step = "normalized",
        kappa: float | None = None,
        phi_max: float | None = None,
    ) -> None:
        n_arms, n_outputs = positive_int("n_arms", n_arms), positive_int("n_outputs", n_outputs)
        dim, sparsity = positive_int("dim", dim), positive_int("sparsity", sparsity)
        working = 2 * sparsity if working_sparsity is None else positive_int("working_sparsity", working_sparsity)
        working = min(working, dim)
        self._shape = n_arms, n_outputs, dim
        self._step = checked_step(step, kappa, phi_max)
        self._state = empty_state(n_arms, n_outputs, dim, working)
        self._converged = np.zeros((n_arms, n_outputs), dtype=np.bool_)
        self._output, self._output_size = self._state.support, self._state.size
        if sparsity < working:
            self._output = np.zeros((n_arms, n_outputs, sparsity), dtype=np.int64)
            self._output_size = np.zeros((n_arms, n_outputs), dtype=np.int64)

    def predict(self, x: Floats) -> Floats:
        """The estimated responses (K, q) of all arms to a context."""
        x = finite_vector("x", x, self._shape[2])
        return _predict(self._state.mu, self._output, self._output_size, x)

    def update(self, x: Floats, arm: int, targets: Floats, weight: float) -> None:
        """
        One round of Algorithm 1 for all arms.

        The row enters the sums of the arm that was pulled alone; with weight 0, which the null arm (-1) has, of none.
        """
        n_arms, n_outputs, dim = self._shape
        x, targets = finite_vector("x", x, dim), finite_vector("targets", targets, n_outputs)
        arm, weight = checked_pull(arm, weight, n_arms)
        output = self._output, self._output_size
        _play(self._state, self._converged, *output, x, arm, targets, weight, self._step)

    @property
    def coef(self) -> Floats:
        """The s0-sparse estimates, of shape (K, q, d)."""
        return _dense(self._state.mu, self._output, self._output_size)

    @property
    def working(self) -> Floats:
        """The s-sparse iterates, of shape (K, q, d)."""
        return _dense(self._state.mu, self._state.support, self._state.size)


@kernel
def _predict(mu, output, size, x):
    out = np.zeros(size.shape)
    for a in range(out.shape[0]):
        for k in range(out.shape[1]):
            for j in range(size[a, k]):
                i = output[a, k, j]
                out[a, k] += mu[a, k, i] * x[i]
    return out


@kernel
def _play(state, converged, output, size, x, arm, targets, weight, step):
    """Lines 7 to 10 of Algorithm 1 for every arm; what a step leaves as it was waits for its arm's next pull."""
    n_arms, n_outputs, dim = state.mu.shape
    v = np.empty(dim)
    chosen = np.empty(state.support.shape[2], dtype=np.int64)
    state.rounds[0] += 1
    if weight > 0.0:
        observe(state, arm, x, targets, weight)
        converged[arm] = False
    for a in range(n_arms):
        for k in range(n_outputs):
            if not converged[a, k]:
                converged[a, k] = not descend(state, a, k, step, a != arm or weight == 0.0, v, chosen)
                if output.shape[2] < chosen.size:
                    _truncate(state, a, k, output, size)


@kernel
def _truncate(state, a, k, output, size):
    """Line 10: the s0 largest entries of the s-sparse iterate."""
    support = state.support[a, k, : state.size[a, k]]
    n = min(support.size, output.shape[2])
    size[a, k] = n
    if n == support.size:
        output[a, k, :n] = support
        return
    values = np.empty(support.size)
    for j in range(support.size):
        values[j] = state.mu[a, k, support[j]]
    largest(values, n, output[a, k])
    for j in range(n):
        output[a, k, j] = support[output[a, k, j]]


@kernel
def _dense(mu, output, size):
    out = np.zeros_like(mu)
    for a in range(mu.shape[0]):
        for k in range(mu.shape[1]):
            for j in range(size[a, k]):
                i = output[a, k, j]
                out[a, k, i] = mu[a, k, i]
    return out
