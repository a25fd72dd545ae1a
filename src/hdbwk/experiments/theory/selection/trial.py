"""Choose the sparsity of Online HT by the rows of a trial, then fit all of them with it."""

import numpy as np
import pandas as pd

from hdbwk.core.validation import Floats
from hdbwk.estimators.regressors import make_estimator
from hdbwk.experiments.theory.selection.spec import Choice, Selection
from hdbwk.metrics.trial import squared_error


def run(spec: Selection, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Record the sparsity that was chosen, and the error that it leads to, after all rows."""
    instance = spec.instance(trial, seed)
    stream = instance.sample(spec.horizon, spec.generator(seed, trial, "stream"))
    X, y = stream.contexts, stream.rewards
    sparsity = chosen(spec.methods[method], X, y, spec.sparsity)
    error = squared_error(fitted(X, y, sparsity), instance.mu)
    return pd.DataFrame([{"t": spec.horizon, "sparsity": sparsity, "error": error}])


def chosen(choice: Choice, X: Floats, y: Floats, truth: int) -> int:
    """The sparsity that a rule takes."""
    if choice.name == "known":
        return truth
    candidates = sorted(choice.candidates)
    if choice.name == "validation":
        first = round((1 - choice.held_out) * len(y))
        losses = [np.mean((y[first:] - X[first:] @ fitted(X[:first], y[:first], s)) ** 2) for s in candidates]
        return candidates[int(np.argmin(losses))]
    stable = [s for s in candidates if agreement(X, y, s) >= choice.agreement]
    return max(stable, default=candidates[0])


def agreement(X: Floats, y: Floats, sparsity: int) -> float:
    """The share of the support on which odd and even rows agree."""
    odd, even = (fitted(X[first::2], y[first::2], sparsity) != 0 for first in (0, 1))
    return float((odd & even).sum() / sparsity)


def fitted(X: Floats, y: Floats, sparsity: int) -> Floats:
    """Online HT with s = 2 s0 on all rows."""
    working = min(2 * sparsity, X.shape[1])
    return make_estimator("online_ht", sparsity=sparsity, working_sparsity=working).partial_fit(X, y).coef_
