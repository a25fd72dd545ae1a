"""Contexts with the rewards and consumptions that a model gives them, and the greedy allocation at given prices."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hdbwk.dual.validation import finite_array, positive_capacity

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
MIN_ROWS = 40  # below this no frequency says anything
MIN_ROWS_PER_ARM = 20


@dataclass(frozen=True)
class Sample:
    """n contexts under K linear arms and m resources; with resources there is a null arm, numbered K."""

    X: Floats  # (n, d)
    mu: Floats  # (K, d)
    W: Floats  # (K, m, d)
    rho: Floats  # (m,)
    rewards: Floats  # (n, K)   <mu_a, x>
    costs: Floats  # (n, K, m)  W_a x

    @classmethod
    def of(cls, X: Floats, mu: Any, W: Any, rho: Any) -> Self:
        """Check a model against the contexts; W and rho are None if there are no knapsacks."""
        n, d = X.shape
        if mu is None:
            raise ValueError("W and rho need mu")
        if (W is None) != (rho is None):
            raise ValueError("W and rho must be given together")
        mu = finite_array("mu", mu, (None, d))
        K = len(mu)
        if n < MIN_ROWS_PER_ARM * K:
            raise ValueError(f"X has {n} rows, {K} arms need at least {MIN_ROWS_PER_ARM * K}")
        if W is None:
            W, rho = np.zeros((K, 0, d)), np.zeros(0)
        else:
            W = finite_array("W", W, (K, None, d))
            rho = finite_array("rho", rho, (W.shape[1],))
            positive_capacity("rho", rho)
        costs = (X @ W.reshape(-1, d).T).reshape(n, K, len(rho))
        return cls(X, mu, W, rho, X @ mu.T, costs)

    def __len__(self) -> int:
        return len(self.X)

    @property
    def n_arms(self) -> int:
        """K."""
        return len(self.mu)

    @property
    def n_resources(self) -> int:
        """m, 0 without knapsacks."""
        return len(self.rho)

    def rows(self, places: Ints) -> Self:
        """The sample of these contexts."""
        return replace(self, X=self.X[places], rewards=self.rewards[places], costs=self.costs[places])

    def scores(self, lam: Floats) -> Floats:
        """The Lagrangian <mu_a - W_a' lam, x> of each arm, 0 for the null arm, shape (n, K) or (n, K + 1)."""
        if not self.n_resources:
            return self.rewards
        return np.column_stack([self.rewards - self.costs @ lam, np.zeros(len(self))])

    def allocation(self, lam: Floats) -> Ints:
        """a*(lam) for each context."""
        return self.scores(lam).argmax(axis=1)

    def consumption(self, lam: Floats) -> Floats:
        """W_a x of the arm a = a*(lam), zero for the null arm, shape (n, m)."""
        chosen = self.allocation(lam)
        idle = chosen == self.n_arms
        used = self.costs[np.arange(len(self)), np.where(idle, 0, chosen)]
        used[idle] = 0.0
        return used


def checked_contexts(X: Any) -> Floats:
    """The contexts, or a ValueError that says what is wrong with them."""
    X = finite_array("X", X, (None, None))
    if len(X) < MIN_ROWS:
        raise ValueError(f"X has {len(X)} rows, at least {MIN_ROWS} are needed")
    return X
