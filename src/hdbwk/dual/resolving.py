"""The dual of Algorithm 4, solved again every round while contexts arrive and estimates move."""

from pathlib import Path

import numpy as np

from hdbwk.core.validation import positive_int
from hdbwk.dual.arms import sparse_arms
from hdbwk.dual.normalised import solve_normalised
from hdbwk.dual.sifter import Sifter
from hdbwk.dual.solution import Array, DualSolution, certify
from hdbwk.dual.validation import (
    finite_array,
    price_cap,
    relative_tolerance,
    shaped_array,
)


class ResolvingDual:
    """Certified minimiser of the empirical dual (eq. dual-resolve), warm from one round to the next.

    After t contexts, `solve` minimises over `lam >= 0, sum(lam) <= Z`

        F(lam) = (1/t) sum_j max(0, max_a <mu_a - W_a' lam, x_j>) + rho . lam

    Parameters
    ----------
    dim, n_arms, n_resources : int
        d, K and m; the null arm is not counted.
    expected_samples : int
        Contexts to make room for at first; the room doubles when it is full.
    """

    def __init__(self, dim: int, n_arms: int, n_resources: int, expected_samples: int = 1024) -> None:
        self.dim = positive_int("dim", dim)
        self.n_arms = positive_int("n_arms", n_arms)
        self.n_resources = positive_int("n_resources", n_resources)
        self._sifter = Sifter(
            self.dim, self.n_arms, self.n_resources, positive_int("expected_samples", expected_samples)
        )
        self._lam = np.zeros(self.n_resources)

    @property
    def n_contexts(self) -> int:
        """How many contexts were added."""
        return self._sifter.n

    def add(self, x: Array) -> None:
        """Append one context of shape (d,)."""
        self._sifter.extend(finite_array("x", x, (self.dim,))[np.newaxis])

    def extend(self, contexts: Array) -> None:
        """Append many contexts, shape (n, d)."""
        self._sifter.extend(finite_array("contexts", contexts, (None, self.dim)))

    def solve(
        self,
        mu: Array,
        W: Array,
        rho: Array,
        Z: float,
        tol: float | str | None = None,
        *,
        max_iterations: int = 80,
        save_to: str | Path | None = None,
    ) -> DualSolution:
        """Minimise F for the estimates of this round.

        Parameters
        ----------
        mu : array of shape (K, d)
            Reward parameters; zeros cost nothing.
        W : array of shape (K, m, d)
            Consumption parameters; zeros cost nothing.
        rho : array of shape (m,)
            Capacity per round; it may be zero or negative.
        Z : float
            Cap on the sum of the prices; it may be infinite if every rho is positive.
        tol : float, "exact" or None
            Largest gap allowed, relative to the mean over contexts of max_a |<mu_a, x_j>|. None is 0.1/t, an
            error that keeps the paper's regret bound; "exact" is 1e-9.
        max_iterations : int
            Limit of one run of the interior point.
        save_to : path, optional
            Folder for the instance if no certificate is found. By default a folder in the system's temporary one, which
            keeps the newest ten.

        Raises
        ------
        UncertifiedDualError
            If the gap stays above the tolerance.
        """
        K, m, d = self.n_arms, self.n_resources, self.dim
        if self.n_contexts == 0:
            raise ValueError("no contexts: call add(x) before solve")
        mu = shaped_array("mu", mu, (K, d))
        W = shaped_array("W", W, (K, m, d))
        rho = finite_array("rho", rho, (m,))
        arms = sparse_arms(mu, W)
        if not np.isfinite(arms.values).all():  # zeros, which they leave out, are finite
            finite_array("mu", mu, (K, d))
            finite_array("W", W, (K, m, d))
        Z = price_cap(Z, rho)
        tol = relative_tolerance(tol, self.n_contexts)
        max_iterations = positive_int("max_iterations", max_iterations)
        solution = solve_normalised(self._sifter, arms, rho, Z, self._lam, tol, max_iterations)
        contexts = self._sifter.samples.rows[: self.n_contexts]
        certify(solution, Z, save_to, contexts=contexts, mu=mu, W=W, rho=rho)
        self._lam = solution.lam.copy()  # the caller may write to the other
        return solution
