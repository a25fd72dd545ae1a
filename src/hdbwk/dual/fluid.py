"""The fluid benchmark V_UB per round: prices from one sample, their value from a fresh one.

For any prices lam the dual D(lam, rho) = E max(0, max_a <mu_a - W_a' lam, x>) + rho . lam, which is L(lam) / T in the
paper, bounds V_UB / T from above, and near the best prices the excess is of second order. So the prices may come from a
moderate sample, and a larger independent one gives an unbiased estimate of D(lam, rho). Only the coordinates in some
support matter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.validation import positive_int
from hdbwk.dual.resolving import ResolvingDual
from hdbwk.dual.solution import Array
from hdbwk.dual.validation import finite_array, positive_capacity

CHUNK = 10_000  # contexts in memory at a time
SEARCH = 50_000  # contexts that determine the prices: their excess in L is far below the standard error
MAX_FACTOR = 20  # the fresh sample grows up to this many times n to reach the wanted error
MAX_PRODUCTS = 10  # arms up to which products of scores are control variates
PILOTS = 10  # fewest pilot contexts for each control variate
WRONG_MOMENTS = 8.0  # standard errors by which a control variate may miss its stated mean


class FluidInstance(Protocol):
    """What `fluid_value` asks of an instance; `context_mean` and `context_covariance` are used if present."""

    @property
    def mu(self) -> Array:
        """Reward parameters, shape (K, d)."""
        ...

    @property
    def W(self) -> Array:  # noqa: N802
        """Consumption parameters, shape (K, m, d)."""
        ...

    @property
    def rho(self) -> Array:
        """Capacities per round, shape (m,)."""
        ...

    def contexts(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n independent contexts, shape (n, d)."""
        ...


@dataclass(frozen=True)
class FluidValue:
    """V_UB per round.

    Attributes
    ----------
    value, standard_error : float
        Estimate of D(lam, rho), which is V_UB / T up to second order, and its standard error.
    lam : array of shape (m,)
        Prices that minimise the dual of the first sample.
    gap : float
        Certified gap of `lam` on the first sample.
    slack : array of shape (m,)
        rho minus the mean consumption at `lam`: near zero for the resources that bind.
    n_contexts : int
        Size of the fresh sample.
    """

    value: float
    standard_error: float
    lam: Array
    gap: float
    slack: Array
    n_contexts: int


def fluid_value(
    instance: FluidInstance,
    rng: np.random.Generator,
    n: int = 200_000,
    *,
    relative_error: float = 1e-3,
    tol: float | str | None = None,
) -> FluidValue:
    """Estimate V_UB / T of an instance.

    Parameters
    ----------
    instance : FluidInstance
        Has `mu`, `W`, `rho` and `contexts(n, rng)`. If it also has `context_mean` (d,) and
        `context_covariance` (d, d), scores and their products serve as control variates, which lowers the
        standard error about 2.5 times; a small n has none.
    rng : numpy.random.Generator
    n : int
        Smallest size of the fresh sample. The prices come from min(n, 50,000) other contexts.
    relative_error : float
        Chunks are added until the standard error is below this share of the value, up to 20 n contexts.
    tol : float, "exact" or None
        Tolerance for the prices, see `ResolvingDual.solve`.
    """
    n = positive_int("n", n)
    W = finite_array("W", instance.W, (None, None, None))
    K, m, d = W.shape
    mu = finite_array("mu", instance.mu, (K, d))
    rho = finite_array("rho", instance.rho, (m,))
    positive_capacity("rho", rho)
    support = np.flatnonzero(mu.any(axis=0) | W.any(axis=(0, 1)))
    support = support if support.size else np.arange(1)
    mu, W = mu[:, support], W[:, :, support]

    def chunks(total: int) -> Iterator[Array]:
        for done in range(0, total, CHUNK):
            yield instance.contexts(min(CHUNK, total - done), rng)[:, support]

    search = min(n, SEARCH)
    dual = ResolvingDual(support.size, K, m, expected_samples=search)
    pilot = np.empty((0, support.size))
    for contexts in chunks(search):
        dual.extend(contexts)
        pilot = contexts if len(contexts) >= len(pilot) else pilot
    prices = dual.solve(mu, W, rho, np.inf, tol)

    net = mu - np.einsum("kmd,m->kd", W, prices.lam)
    evaluation = Evaluation(net, Controls(instance, support, net, pilot))
    for contexts in chunks(MAX_FACTOR * n):
        evaluation.add(contexts)
        value = evaluation.mean + float(rho @ prices.lam)
        if evaluation.n >= n and evaluation.standard_error <= relative_error * abs(value):
            break
    consumption = np.einsum("kmd,kd->m", W, evaluation.pulled) / evaluation.n
    return FluidValue(
        value, evaluation.standard_error, prices.lam, prices.gap, rho - consumption, n_contexts=evaluation.n
    )


class Evaluation:
    """Running mean of max(0, max_a net_a . x) less its control variates, and the contexts of each arm."""

    def __init__(self, net: Array, controls: "Controls") -> None:
        self.net, self.controls = net, controls
        self.n = 0
        self.pulled = np.zeros_like(net)  # sum of the contexts at which an arm is best
        self._sum = self._squares = 0.0

    def add(self, contexts: Array) -> None:
        """Take in more contexts."""
        scores = contexts @ self.net.T
        reward = np.maximum(scores.max(axis=1), 0.0)
        best = scores.argmax(axis=1)
        for a in range(len(self.net)):
            self.pulled[a] += contexts[(best == a) & (reward > 0.0)].sum(axis=0)
        reward = reward - self.controls.explained(scores)
        self.n += len(contexts)
        self._sum += reward.sum()
        self._squares += reward @ reward

    @property
    def mean(self) -> float:
        """Unbiased estimate of the expected best net reward."""
        return float(self._sum / self.n)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean."""
        return float(np.sqrt(max(self._squares / self.n - self.mean**2, 0.0) / max(self.n - 1, 1)))


class Controls:
    """Scores and products of scores, whose means are known when the moments of the contexts are.

    The coefficients come from pilot contexts, which the evaluation does not use, so that it stays unbiased. With few
    pilot contexts the coefficients and the check of the moments would be noise, and there are no controls.
    """

    def __init__(self, instance: Any, support: NDArray[np.intp], net: Array, pilot: Array) -> None:
        mean, covariance = (getattr(instance, name, None) for name in ("context_mean", "context_covariance"))
        self.known = mean is not None and covariance is not None
        if not self.known:
            return
        self.mean = net @ np.asarray(mean)[support]
        self.covariance = net @ np.asarray(covariance)[np.ix_(support, support)] @ net.T
        scores = pilot @ net.T
        basis = self._basis(scores)
        self.known = len(basis) >= PILOTS * basis.shape[1]
        if not self.known:
            return
        excess = np.abs(basis.mean(axis=0)) * np.sqrt(len(basis))
        if (excess > WRONG_MOMENTS * basis.std(axis=0) + 1e-9).any():
            raise ValueError("context_mean or context_covariance of the instance does not fit its contexts")
        reward = np.maximum(scores.max(axis=1), 0.0)
        self.coefficients = np.linalg.lstsq(basis - basis.mean(axis=0), reward - reward.mean())[0]

    def explained(self, scores: Array) -> Array | float:
        """The part of the reward with mean zero that the controls predict."""
        return self._basis(scores) @ self.coefficients if self.known else 0.0

    def _basis(self, scores: Array) -> Array:
        centred = scores - self.mean
        if scores.shape[1] > MAX_PRODUCTS:
            return centred
        i, j = np.triu_indices(scores.shape[1])
        return np.hstack([centred, centred[:, i] * centred[:, j] - self.covariance[i, j]])
