"""Online sparse regression by ours and by other libraries: each gives an estimate after every round."""

import importlib.util
from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from benchmarks.comparison import refits, running_gram
from benchmarks.comparison.sizes import SPARSITY, WORKING
from hdbwk import OnlineHT
from hdbwk.textbook.online_ht import OnlineHT as TextbookOnlineHT


class Learner(Protocol):
    """An estimator in the course of a stream."""

    def start(self, X: np.ndarray, y: np.ndarray) -> object:
        """Take the state after these first rows, by whatever means: no time is counted."""

    def update(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Take in the next rows and return the estimate of shape (d,)."""


class Contender(NamedTuple):
    """How a learner is made, and what it is."""

    make: Callable[[], Learner]
    kind: str  # "ours", "textbook", "lasso", "greedy"
    needs: str = "sklearn"  # the module that must be installed
    batches: bool = True  # whether rows that have waited are taken in at once, for one estimate

    @property
    def installed(self) -> bool:
        """Whether its library is there."""
        return importlib.util.find_spec(self.needs) is not None


class Ours:
    """OnlineHT, row by row."""

    def __init__(self, engine: str) -> None:
        self.model = OnlineHT(SPARSITY, WORKING, engine=engine)

    def start(self, X: np.ndarray, y: np.ndarray) -> object:
        return self.update(X, y)

    def update(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self.model.partial_fit(X, y).coef_


class Textbook:
    """Algorithm 1 in plain numpy."""

    def start(self, X: np.ndarray, y: np.ndarray) -> object:
        """The sums at once, and our iterate, which equals its own up to rounding."""
        rounds, dim = X.shape
        self.model = TextbookOnlineHT(dim, SPARSITY, WORKING, "normalized")
        if rounds:
            self.model.t = rounds
            self.model.Sigma = X.T @ X / rounds
            self.model.mean_xr = X.T @ y / rounds
            self.model.mu = OnlineHT(SPARSITY, WORKING).fit(X, y).working_coef_
        return self

    def update(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        if not hasattr(self, "model"):
            self.start(X[:0], y[:0])
        return [self.model.update(x, r) for x, r in zip(X, y, strict=True)][-1]


CONTENDERS = {
    "ours, auto": Contender(lambda: Ours("auto"), "ours"),
    "ours, Gram": Contender(lambda: Ours("gram"), "ours"),
    "ours, active": Contender(lambda: Ours("active"), "ours"),
    "textbook numpy": Contender(Textbook, "textbook", "numpy", batches=False),
    "LASSO, sklearn": Contender(refits.sklearn_lasso, "lasso"),
    "LASSO, celer": Contender(refits.celer_lasso, "lasso", "celer"),
    "LASSO, skglm": Contender(refits.skglm_lasso, "lasso", "skglm"),
    "LASSO, sklearn, running Gram": Contender(running_gram.GramLasso, "lasso"),
    "OMP, sklearn": Contender(refits.matching_pursuit, "greedy"),
    "OMP, sklearn, running Gram": Contender(running_gram.GramPursuit, "greedy"),
    "best subset, abess": Contender(refits.best_subset, "greedy", "abess"),
}
