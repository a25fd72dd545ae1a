"""Textbook versions of the dual problem: plain numpy, scipy and cvxpy, with no cleverness."""

import cvxpy as cp
import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp


def linear_data(contexts, mu, W):
    """Rewards (n, K) and costs (n, K, m) of a linear model."""
    return contexts @ mu.T, np.einsum("nd,kmd->nkm", contexts, W)


def dual_value(rewards, costs, rho, lam):
    """F(lam) by its definition."""
    scores = rewards - costs @ lam
    return np.maximum(scores.max(axis=1), 0.0).mean() + rho @ lam


def dual_by_linprog(rewards, costs, rho, Z, time_limit=None, shares=None):
    """min F as a linear programme in (lam, s), scaled so that rewards and prices are of order one.

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


def dual_by_cvxpy(rewards, costs, rho, Z, solver=None):
    """min F as it is written, with the default solver or another."""
    n, K, m = costs.shape
    lam = cp.Variable(m, nonneg=True)
    best = cp.Variable(n, nonneg=True)
    scores = [rewards[:, a] - costs[:, a] @ lam for a in range(K)]
    problem = cp.Problem(cp.Minimize(cp.sum(best) / n + rho @ lam), [best >= s for s in scores] + [cp.sum(lam) <= Z])
    problem.solve(solver=solver)
    return problem.value, lam.value


def best_assignment(rewards, costs, capacity, integer=False):
    """The primal: max sum r y under the capacity, sum_a y_ja <= 1, with fractional or whole y."""
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
