"""One online LASSO for each response of each arm, updated together."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from pydantic import Field

from hdbwk.core.compiled import kernel
from hdbwk.core.spec import Positive, Size, Sizes, Spec
from hdbwk.core.validation import LARGEST, Floats, checked_pull, finite_vector, positive_int
from hdbwk.estimators.levels import LEVELS, checked_levels, chosen_sizes, faults_of_levels, several_levels
from hdbwk.estimators.online_ht.gram import empty_gram
from hdbwk.estimators.online_ht.store import Integers
from hdbwk.estimators.online_lasso.levels import no_outputs, play_levels_round
from hdbwk.estimators.online_lasso.output import write_output
from hdbwk.estimators.online_lasso.rounds import checked_settings, play_round
from hdbwk.estimators.online_lasso.sums import initial_state


class OnlineLassoParams(Spec):
    """Parameters of `OnlineLassoBank`; those of `hdbwk.OnlineLasso` mean the same."""

    name: Literal["online_lasso"] = "online_lasso"
    sparsity: Size | Literal["auto"] | None = Field(
        10,
        description="s0, non-zero entries of the estimates; null: those of the LASSO; `auto`: the best of `levels`",
    )
    scale: Positive = Field(1.0, description="c of the penalty c sigma sqrt(log(d n) / n)")
    sweeps: Size = Field(1, description="sweeps of coordinate descent in a round")
    threshold: Positive | None = Field(None, description="share of the noise below which an entry is dropped")
    ridge: Positive = Field(1.0, description="rows of the prior 0 in the refit")
    levels: Sizes | None = Field(None, description=f"what `sparsity: auto` chooses s0 from; null means {LEVELS}")

    def faults(self) -> Iterator[str]:
        """What `auto` does not go with."""
        if self.sparsity == "auto" and self.threshold is not None:
            yield f"@threshold = {self.threshold} must be null if @sparsity is 'auto'"
        yield from faults_of_levels(self.sparsity, self.levels)


class OnlineLassoBank:
    """K arms with q responses each (the reward, then the m consumptions), every one of them an online LASSO."""

    def __init__(self, params: OnlineLassoParams, n_arms: int, n_outputs: int, dim: int) -> None:
        n_arms, n_outputs = positive_int("n_arms", n_arms), positive_int("n_outputs", n_outputs)
        self._settings = checked_settings(**params.model_dump(exclude={"name", "levels"}))
        store = empty_gram(n_arms, n_outputs, positive_int("dim", dim), 1)
        self._state = initial_state(n_arms, n_outputs, dim, store)
        self._coef = np.zeros((n_arms, n_outputs, dim))
        self._stale = np.zeros(n_arms, dtype=np.bool_)
        self._outputs = None
        self._sizes = np.full(n_outputs, min(self._settings.output[0], dim))
        if params.sparsity == "auto":
            levels = several_levels(checked_levels(params.levels), dim, n_outputs)
            self._outputs = no_outputs(n_arms, dim, levels)
            self._sizes = chosen_sizes(levels)

    def predict(self, x: Floats) -> Floats:
        """The estimated responses (K, q) of all arms to a context."""
        x = finite_vector("x", x, self._coef.shape[2])
        self._refresh()
        return self._coef @ x

    def update(self, x: Floats, arm: int, targets: Floats, weight: float) -> None:
        """
        One round of the arm that was pulled.

        With weight 0, which the null arm (-1) has, nothing happens.
        """
        n_arms, n_outputs, dim = self._coef.shape
        x, targets = finite_vector("x", x, dim), finite_vector("targets", targets, n_outputs)
        if x.dot(x) < LARGEST**-2 and x.any():
            raise ValueError(f"x has entries up to {np.abs(x).max():.3g}: rescale it to {1 / LARGEST:g} at least")
        arm, weight = checked_pull(arm, weight, n_arms)
        if weight > 0:
            scale, sweeps, (_, _, ridge) = self._settings
            if self._outputs is None:
                play_round(self._state, x, arm, targets, weight, scale, sweeps)
            else:
                play_levels_round(self._state, x, arm, targets, weight, scale, sweeps, self._outputs, ridge)
            self._stale[arm] = True

    @property
    def coef(self) -> Floats:
        """The estimates, of shape (K, q, d)."""
        self._refresh()
        return self._coef.copy()

    @property
    def sparsity(self) -> Integers:
        """s0 of each response, given or chosen, of shape (q,); 0 where all entries of the LASSO are kept."""
        return self._sizes

    def _refresh(self) -> None:
        """Write the estimates of arms that were pulled, or of all if another level is in use."""
        if self._outputs is not None:
            sizes = chosen_sizes(self._outputs.levels)
            if (sizes != self._sizes).any():
                self._sizes, self._stale[:] = sizes, self._state.weights[:, 0] > 0
        _, threshold, ridge = self._settings.output
        _refresh(self._state, self._stale, self._sizes, threshold, ridge, self._coef)


@kernel
def _refresh(state, stale, sizes, threshold, ridge, coef):
    """Write the estimates of arms that were pulled."""
    for a in range(coef.shape[0]):
        if stale[a]:
            stale[a] = False
            for k in range(coef.shape[1]):
                write_output(state, a, k, sizes[k], threshold, ridge, coef[a, k])
