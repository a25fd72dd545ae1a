"""Solvers of the dual problem of one round: ours from nothing, cvxpy with each of its solvers, linprog, HiGHS."""

import importlib.util
import warnings
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from cvxpy import installed_solvers

from hdbwk.dual import solve_dual
from hdbwk.textbook.dual import dual_by_cvxpy, dual_by_linprog

CVXPY_SOLVERS = ("CLARABEL", "GLOP", "HIGHS", "OSQP", "PDLP", "SCIPY", "SCS")  # two of them are those of OR-tools
INFEASIBLE = 1e-3  # prices that violate their bounds by more, relative to Z, are no solution


class Problem(NamedTuple):
    """min F(lam) over lam >= 0, sum(lam) <= Z, in the data of all contexts so far."""

    rewards: np.ndarray  # (t, K)
    costs: np.ndarray  # (t, K, m)
    rho: np.ndarray
    Z: float


Solver = Callable[[Problem], np.ndarray]  # gives the prices


def cold(problem: Problem) -> np.ndarray:
    """Ours with no memory of earlier rounds, to a relative gap of 1e-9."""
    return solve_dual(*problem).lam


def linprog(problem: Problem) -> np.ndarray:
    """scipy, as a linear programme."""
    return dual_by_linprog(*problem)[1]


def cvxpy(problem: Problem, solver: str) -> np.ndarray:
    """As the problem is written; cvxpy's own work counts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of inaccurate solutions: the gap is measured
        prices = dual_by_cvxpy(*problem, solver=solver)[1]
    if prices is None:
        raise RuntimeError("no solution")
    return prices


def highspy(problem: Problem) -> np.ndarray:
    """HiGHS without a modelling layer, on (lam, s) with s_j >= r_ja - b_ja . lam."""
    import highspy as hp
    from scipy import sparse

    n, K, m = problem.costs.shape
    best = sparse.kron(sparse.eye(n), np.ones((K, 1)))
    pairs = sparse.hstack([sparse.csr_matrix(problem.costs.reshape(n * K, m)), best])
    cap = sparse.hstack([sparse.csr_matrix(np.ones((1, m))), sparse.csr_matrix((1, n))])
    matrix = sparse.vstack([pairs, cap]).tocsc()
    lp = hp.HighsLp()
    lp.num_col_, lp.num_row_ = m + n, n * K + 1
    lp.col_cost_ = np.concatenate([problem.rho, np.full(n, 1 / n)])
    lp.col_lower_, lp.col_upper_ = np.zeros(m + n), np.full(m + n, hp.kHighsInf)
    lp.row_lower_ = np.concatenate([problem.rewards.ravel(), [-hp.kHighsInf]])
    lp.row_upper_ = np.concatenate([np.full(n * K, hp.kHighsInf), [problem.Z]])
    lp.a_matrix_.format_ = hp.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs = hp.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.passModel(lp)
    highs.run()
    if highs.getModelStatus() != hp.HighsModelStatus.kOptimal:
        raise RuntimeError(str(highs.getModelStatus()))
    return np.array(highs.getSolution().col_value[:m])


def solvers() -> dict[str, Solver | None]:
    """By name; None where it is not installed."""
    there = installed_solvers()
    return {
        "ours, cold": cold,
        "linprog": linprog,
        "highspy": highspy if importlib.util.find_spec("highspy") else None,
        **{f"cvxpy, {name}": partial(cvxpy, solver=name) if name in there else None for name in CVXPY_SOLVERS},
    }


def feasible(prices: np.ndarray, Z: float) -> np.ndarray:
    """The prices moved into their bounds, if they are near."""
    moved = np.maximum(prices, 0.0)
    moved *= min(1.0, Z / max(moved.sum(), 1e-300))
    if not np.abs(moved - prices).max() <= INFEASIBLE * Z:
        raise RuntimeError("prices outside their bounds")
    return moved
