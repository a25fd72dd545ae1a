"""The rounds of the online LASSO, for one regression or a bank of arms."""

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from hdbwk.core.compiled import kernel
from hdbwk.core.validation import positive_int
from hdbwk.estimators.online_ht.rows import count, row
from hdbwk.estimators.online_ht.store import remembered
from hdbwk.estimators.online_lasso.descent import sweep
from hdbwk.estimators.online_lasso.output import ALL
from hdbwk.estimators.online_lasso.sums import take_in


class LassoSettings(NamedTuple):
    """The parameters as the kernels take them."""

    scale: float
    sweeps: int
    output: tuple[int, float, float]  # sparsity, threshold, ridge


def checked_settings(sparsity: Any, scale: Any, sweeps: Any, threshold: Any, ridge: Any) -> LassoSettings:
    """ValueError for parameters that are not allowed."""
    for name, value in {"scale": scale, "threshold": threshold, "ridge": ridge}.items():
        if name == "threshold" and value is None:
            continue
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < np.inf:
            raise ValueError(f"{name} = {value!r} must be a positive number")
    if sparsity == "auto" and threshold is not None:
        raise ValueError(f'threshold = {threshold!r} must be None if sparsity is "auto"')
    kept = ALL if sparsity is None or sparsity == "auto" else positive_int("sparsity", sparsity)
    return LassoSettings(float(scale), positive_int("sweeps", sweeps), (kept, float(threshold or 0), float(ridge)))


@kernel
def play(state, X, targets, weights, scale, sweeps):
    """Rounds of one arm, with rows X (n, d), targets (n, q) and weights (n,)."""
    for n in range(count(X)):
        play_round(state, row(X, n), 0, targets[n], weights[n], scale, sweeps)


@kernel
def play_round(state, x, arm, targets, weight, scale, sweeps):
    """A row of the arm, unless its weight is 0, and its sweeps."""
    n_outputs, dim = state.mu.shape[1:]
    change, order = np.empty(dim), np.empty(dim, dtype=np.int64)
    products = np.empty(remembered(state.store))
    if weight > 0.0:
        take_in(state, arm, x, targets, weight)
    for k in range(n_outputs if state.weights[arm, 0] > 0.0 else 0):
        for _ in range(sweeps):
            sweep(state, arm, k, scale, change, order, products)
