"""What our certificate says of answers that other solvers found, right and wrong."""

import numpy as np
import pytest
from helpers.dual_cases import EXACT, GaussianInstance, random_data, reward_scale

from hdbwk.dual import DualSolution, ResolvingDual, UncertifiedDualError
from hdbwk.dual.careful import careful_lower, careful_value
from hdbwk.dual.explicit import picking_arms
from hdbwk.dual.problem import Posed
from hdbwk.dual.sifter import Sifter
from hdbwk.dual.solution import certify
from hdbwk.dual.working_set import Pairs
from hdbwk.textbook.dual import best_assignment, dual_by_linprog, dual_value, linear_data


def judged(rewards, costs, rho, lam, assignment):
    """The certificate of prices and an assignment (n, K)."""
    n, K, m = costs.shape
    sifter = Sifter(K * (m + 1), K, m, capacity=n)
    sifter.extend(np.concatenate([rewards[:, :, np.newaxis], costs], axis=2).reshape(n, -1))
    posed = Posed(picking_arms(K, m), rho, np.inf, sifter.weight, 1.0, 1.0)
    arms, groups = np.tile(np.arange(K + 1), n), np.arange(n + 1) * (K + 1)
    pairs = Pairs(np.empty(0), np.empty((0, m)), arms, groups, np.arange(n))
    shares = np.column_stack([assignment, 1.0 - assignment.sum(axis=1)]).ravel()
    value, error = careful_value(sifter.samples, n, posed, lam)
    lower = careful_lower(sifter.samples, n, posed, pairs, shares, value + error)
    tolerance = 1e-6 * reward_scale(rewards)
    return DualSolution(lam, value, lower, error, tolerance, passes=1, iterations=0)


def answers(rewards, costs, rho):
    """Prices and assignment of HiGHS; both are optimal."""
    lam = np.maximum(dual_by_linprog(rewards, costs, rho, np.abs(rewards).max() / rho.min())[1], 0.0)
    return lam, np.clip(best_assignment(rewards, costs, len(rewards) * rho)[1], 0.0, 1.0)


@pytest.mark.parametrize("seed", range(20))
def test_a_right_answer_is_certified(seed, tmp_path):
    problem = random_data(np.random.default_rng(seed), 150, 3, 3)
    solution = judged(*problem, *answers(*problem))
    assert certify(solution, np.inf, tmp_path) is solution


@pytest.mark.parametrize("wrong", ["prices", "assignment", "both"])
@pytest.mark.parametrize("seed", range(20))
def test_an_optimum_of_another_round_is_not_certified(seed, wrong, tmp_path):
    """A warm start that returns the vertex of the last capacities, as some releases of HiGHS do, is found out."""
    rewards, costs, rho = random_data(np.random.default_rng(seed), 150, 3, 3)
    lam, assignment = answers(rewards, costs, rho)
    old_lam, old_assignment = answers(rewards, costs, 1.5 * rho)
    optimum = dual_value(rewards, costs, rho, lam)
    if wrong != "assignment":
        lam = old_lam
    if wrong != "prices":
        assignment = old_assignment
    solution = judged(rewards, costs, rho, lam, assignment)
    assert solution.lower_bound <= optimum + 1e-9
    assert solution.gap >= dual_value(rewards, costs, rho, lam) - optimum - 1e-9
    with pytest.raises(UncertifiedDualError, match="exceeds the tolerance"):
        certify(solution, np.inf, tmp_path)


@pytest.mark.parametrize("tol", [None, "exact"])
def test_wrong_prices_to_start_from_do_no_harm(tol):
    """Each round starts at a vertex that is optimal for other capacities."""
    instance, rng = GaussianInstance(), np.random.default_rng(5)
    contexts = instance.contexts(300, rng)
    dual = ResolvingDual(40, 3, 4)
    dual.extend(contexts[:250])
    rewards, costs = linear_data(contexts, instance.mu, instance.W)
    for t in range(250, 300):
        dual.add(contexts[t])
        rho = instance.rho * rng.uniform(0.5, 1.5)
        dual._lam = dual_by_linprog(rewards[: t + 1], costs[: t + 1], instance.rho[::-1], 4.0)[1]
        solution = dual.solve(instance.mu, instance.W, rho, 4.0, tol)
        optimum, _ = dual_by_linprog(rewards[: t + 1], costs[: t + 1], rho, 4.0)
        allowed = (0.1 / (t + 1) if tol is None else EXACT) * reward_scale(rewards[: t + 1])
        assert solution.lower_bound - 1e-7 <= optimum <= solution.value + 1e-7
        assert solution.value <= optimum + allowed + 1e-7
