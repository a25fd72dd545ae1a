"""The dual of line 12 of Algorithm 4, its D-bar_t called F here (Logarithmic Regret of CBwK by Resolving)."""

from collections.abc import Sequence

import cvxpy as cp
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

Floats = NDArray[np.float64]


def linear_data(contexts: Floats, mu: Floats, W: Floats) -> tuple[Floats, Floats]:
    """Rewards <mu_a, x_j>, of shape (n, K), and costs W_a x_j, of shape (n, K, m)."""
    return contexts @ mu.T, np.einsum("nd,kmd->nkm", contexts, W)


def dual_by_cvxpy(
    rewards: Floats, costs: Floats, rho: Floats, Z: float, solver: str | None = None
) -> tuple[float, Floats]:
    """The least F over lam >= 0 with |lam|_1 <= Z, and the prices lam that attain it."""
    n, K, m = costs.shape
    lam = cp.Variable(m, nonneg=True)
    best = cp.Variable(n, nonneg=True)  # of the scores of each context, 0 for the null arm among them
    scores = [rewards[:, a] - costs[:, a] @ lam for a in range(K)]
    F = cp.sum(best) / n + rho @ lam
    problem = cp.Problem(cp.Minimize(F), [*(best >= score for score in scores), cp.sum(lam) <= Z])
    problem.solve(solver=solver)
    return float(problem.value), np.asarray(lam.value)


def dual_value(rewards: Floats, costs: Floats, rho: Floats, lam: Floats) -> float:
    """F(lam) = 1/n sum_j max_a <mu_a - W_a' lam, x_j> + rho' lam, the null arm among the a."""
    scores = rewards - costs @ lam
    return np.maximum(scores.max(axis=1), 0.0).mean() + rho @ lam


def dual_by_linprog(
    rewards: Floats,
    costs: Floats,
    rho: Floats,
    Z: float,
    time_limit: float | None = None,
    shares: Sequence[float] | Floats | None = None,
) -> tuple[float, Floats]:
    """Min F as a linear programme in (lam, s), scaled so that rewards and prices are of order one.

    With `shares` the cap is shares . lam <= Z.
    """
    n, K, m = costs.shape
    R = np.abs(rewards).max() or (Z * np.abs(rho).max()) or 1.0
    Z = Z if Z > 0 else 1e-300
    objective = np.concatenate([rho * Z / R, np.full(n, 1.0 / n)])
    pairs = sparse.csr_matrix(costs.reshape(n * K, m) * (-Z / R))
    epigraph = sparse.hstack([pairs, sparse.kron(sparse.eye(n), -np.ones((K, 1)))])
    cap = sparse.hstack([sparse.csr_matrix(np.ones((1, m)) if shares is None else [shares]), sparse.csr_matrix((1, n))])
    answer = linprog(
        objective,
        A_ub=sparse.vstack([epigraph, cap]).tocsr(),
        b_ub=np.concatenate([-rewards.ravel() / R, [1.0]]),
        bounds=(0, None),
        method="highs",
        options={} if time_limit is None else {"time_limit": time_limit},
    )
    if answer.status != 0:
        raise RuntimeError(answer.message)
    return answer.fun * R, answer.x[:m] * Z


def best_assignment(rewards: Floats, costs: Floats, capacity: Floats, integer: bool = False) -> tuple[float, Floats]:
    """The primal: max sum r y under the capacity, sum_a y_ja <= 1; with whole y it is V_Off."""
    T, K, m = costs.shape
    use = costs.reshape(T * K, m).T
    one_arm = np.kron(np.eye(T), np.ones((1, K)))
    answer = milp(
        -rewards.ravel(),
        constraints=[LinearConstraint(use, ub=capacity), LinearConstraint(one_arm, ub=1.0)],
        bounds=Bounds(0, 1),
        integrality=np.full(T * K, int(integer)),
    )
    return -answer.fun, answer.x.reshape(T, K)
