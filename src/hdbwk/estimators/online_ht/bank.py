"""One Online HT for each response of each arm, updated together: what Algorithms 2, 3 and 4 learn with."""

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.core.validation import LARGEST, NULL_ARM, Floats, checked_pull, finite_vector, positive_int
from hdbwk.estimators.levels import Levels, checked_levels, chosen_sizes, one_level, several_levels
from hdbwk.estimators.online_ht.algorithm import initial_state, play_round
from hdbwk.estimators.online_ht.gram import empty_gram
from hdbwk.estimators.online_ht.params import OnlineHTParams
from hdbwk.estimators.online_ht.steps import checked_step
from hdbwk.estimators.online_ht.store import Integers
from hdbwk.estimators.online_ht.threshold import largest


class OnlineHTBank:
    """K arms with q responses each (the reward, then the m consumptions), every one of them by Algorithm 1."""

    def __init__(self, params: OnlineHTParams, n_arms: int, n_outputs: int, dim: int) -> None:
        n_arms, n_outputs = positive_int("n_arms", n_arms), positive_int("n_outputs", n_outputs)
        levels = _levels(params, n_outputs, positive_int("dim", dim))
        self._step = checked_step(params.step, params.kappa, params.phi_max)
        store = empty_gram(n_arms, n_outputs * levels.sizes.size, dim, int(levels.sizes.max()))
        self._state = initial_state(n_arms, n_outputs, dim, levels, store)
        self._output, self._output_size = self._state.support, self._state.size
        if params.sparsity != "auto" and params.sparsity < levels.sizes[0]:
            self._output = np.zeros((n_arms, n_outputs, params.sparsity), dtype=np.int64)
            self._output_size = np.zeros((n_arms, n_outputs), dtype=np.int64)

    def predict(self, x: Floats) -> Floats:
        """The estimated responses (K, q) of all arms to a context."""
        x = finite_vector("x", x, self._state.mu.shape[2])
        return _predict(self._state.mu, self._output, self._output_size, self._state.levels.best, x)

    def update(self, x: Floats, arm: int, targets: Floats, weight: float) -> None:
        """
        One round of Algorithm 1 for all arms.

        The row enters the sums of the arm that was pulled alone; with weight 0, which the null arm (-1) has, of none.
        """
        n_arms, _, dim = self._state.mu.shape
        x, targets = finite_vector("x", x, dim), finite_vector("targets", targets, self._state.levels.best.size)
        if x.dot(x) < LARGEST**-2 and x.any():
            raise ValueError(f"x has entries up to {np.abs(x).max():.3g}: rescale it to {1 / LARGEST:g} at least")
        arm, weight = checked_pull(arm, weight, n_arms)
        pulled = arm if weight > 0 else NULL_ARM
        play_round(self._state, x, pulled, targets, weight, self._step)
        if self._output is not self._state.support:
            _truncate(self._state.mu, self._state.support, self._state.size, self._output, self._output_size)

    @property
    def coef(self) -> Floats:
        """The s0-sparse estimates, of shape (K, q, d)."""
        return _dense(self._state.mu, self._output, self._output_size, self._state.levels.best)

    @property
    def sparsity(self) -> Integers:
        """s, the entries kept of each response between rounds, given or chosen, of shape (q,)."""
        return chosen_sizes(self._state.levels)

    @property
    def working(self) -> Floats:
        """The s-sparse iterates, of shape (K, q, d)."""
        return _dense(self._state.mu, self._state.support, self._state.size, self._state.levels.best)


def _levels(params: OnlineHTParams, n_outputs: int, dim: int) -> Levels:
    """s, or what it is chosen from: all arms together judge the levels of a response."""
    if params.sparsity == "auto":
        return several_levels(checked_levels(params.levels), dim, n_outputs)
    return one_level(min(params.working_sparsity or 2 * params.sparsity, dim), n_outputs)


@kernel
def _predict(mu, output, size, best, x):
    """By the iterates of the levels in use."""
    out = np.zeros((mu.shape[0], best.size))
    for a in range(out.shape[0]):
        for k in range(best.size):
            n = best[k] * best.size + k
            for j in range(size[a, n]):
                i = output[a, n, j]
                out[a, k] += mu[a, n, i] * x[i]
    return out


@kernel
def _truncate(mu, support, size, output, output_size):
    """Line 10: the s0 largest entries of the s-sparse iterates."""
    values = np.empty(support.shape[2])
    for a in range(mu.shape[0]):
        for k in range(mu.shape[1]):
            n = output_size[a, k] = min(size[a, k], output.shape[2])
            if n == size[a, k]:
                output[a, k, :n] = support[a, k, :n]
                continue
            for j in range(size[a, k]):
                values[j] = mu[a, k, support[a, k, j]]
            largest(values[: size[a, k]], n, output[a, k])
            for j in range(n):
                output[a, k, j] = support[a, k, output[a, k, j]]


@kernel
def _dense(mu, output, size, best):
    out = np.zeros((mu.shape[0], best.size, mu.shape[2]))
    for a in range(mu.shape[0]):
        for k in range(best.size):
            n = best[k] * best.size + k
            for j in range(size[a, n]):
                i = output[a, n, j]
                out[a, k, i] = mu[a, n, i]
    return out
