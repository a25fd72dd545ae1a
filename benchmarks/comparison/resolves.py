"""
One re-solve of the dual at rounds of a real run of Algorithm 4 at the paper's size: time and gap.

"ours, warm" is what the run does: it starts from the last round and stops at a certified gap of 0.1/t; its
time is a mean over ten rounds. All others start from nothing, to their own tolerance; theirs is the best of
up to three.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from cvxpy.error import SolverError

from benchmarks.comparison.dual_solvers import Problem, Solver, feasible, solvers
from benchmarks.comparison.rounds import LEFT_OUT, NOT_INSTALLED, Row
from benchmarks.comparison.sizes import Sizes
from hdbwk import InstanceInfo, rng, simulate
from hdbwk.dual import DualSolution, ResolvingDual, fluid_value, solve_dual
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.policies.resolving import Resolving
from hdbwk.textbook.dual import dual_value, linear_data

DIM, ARMS, RESOURCES, SPARSITY = 200, 5, 10, 10
EXPLORE = 20
ENOUGH = 0.5  # seconds after which a solver is not asked again
WINDOW = 10  # re-solves of ours that a mean is taken over
REMAINING = 1.5  # the run's horizon over the last round looked at: Algorithm 4 stops re-solving at its horizon


class Resolve(NamedTuple):
    """A problem of the run, and how ours did on it."""

    problem: Problem
    prices: np.ndarray
    times: list[float]  # of the re-solves from this round on


class Watch:
    """The dual of a policy; it keeps the problems of some rounds and the times of the rounds after."""

    def __init__(self, dual: ResolvingDual, rounds: tuple[int, ...]) -> None:
        self.dual, self.rounds = dual, rounds
        self.contexts: list[np.ndarray] = []
        self.resolves: dict[int, Resolve] = {}

    def add(self, x: np.ndarray) -> None:
        """A context."""
        self.contexts.append(x)
        self.dual.add(x)

    def solve(self, mu: np.ndarray, W: np.ndarray, rho: np.ndarray, Z: float, tol: Any) -> DualSolution:
        """Solve as asked."""
        start = time.perf_counter()
        solution = self.dual.solve(mu, W, rho, Z, tol)
        spent = time.perf_counter() - start
        t = len(self.contexts)
        if t in self.rounds:
            problem = Problem(*linear_data(np.array(self.contexts), mu, W), rho.copy(), Z)
            self.resolves[t] = Resolve(problem, solution.lam.copy(), [])
        for first, resolve in self.resolves.items():
            if t < first + WINDOW:
                resolve.times.append(spent)
        return solution


def follow(rounds: tuple[int, ...], dim: int = DIM) -> dict[int, Resolve]:
    """Algorithm 4 with the skip rule, watched at these rounds."""
    horizon = int(REMAINING * max(rounds))
    instance = CBwKInstance.draw(rng(1, "bench"), dim, SPARSITY, ARMS, RESOURCES)
    value = fluid_value(instance, rng(1, "bench fluid"), n=20_000).value
    stream = instance.sample(horizon, rng(1, "bench stream"), value)
    info = InstanceInfo(dim, ARMS, horizon, rng(1, "policy"), rho=instance.rho, value=value)
    policy = Resolving(info, estimator={"sparsity": SPARSITY, "working_sparsity": SPARSITY}, explore=EXPLORE)
    watch = Watch(policy.dual, rounds)
    policy.dual = watch
    simulate(policy, stream[: max(rounds) + WINDOW], "skip")
    return watch.resolves


def dual_rows(sizes: Sizes, dim: int = DIM) -> Iterator[Row]:
    """All solvers on the same problems; one drops out before a problem that would take too long."""
    resolves = follow(sizes.resolves, dim)
    lower = {t: solve_dual(*resolve.problem).lower_bound for t, resolve in resolves.items()}
    for t, (problem, prices, times) in resolves.items():
        row = {"comparison": "dual", "contender": "ours, warm", "t": t, "d": dim}
        yield row | {"seconds": float(np.mean(times)), "gap": gap(problem, prices, lower[t])}
    for name, solver in solvers().items():
        spent, before = 0.0, sizes.resolves[0]
        for t, resolve in resolves.items():
            row = {"comparison": "dual", "contender": name, "t": t, "d": dim}
            if solver is None:
                yield row | {"note": NOT_INSTALLED}
            elif spent * (t / before) ** 2 > sizes.patience:
                yield row | {"note": LEFT_OUT}
            else:
                answer = solved(solver, resolve.problem, lower[t])
                spent, before = answer.get("seconds", 0.0), t
                yield row | answer


def solved(solver: Solver, problem: Problem, lower: float) -> Row:
    """The best time of up to three, and the gap; or that the solver failed."""
    times: list[float] = []
    try:
        while len(times) < 3 and sum(times) < ENOUGH:
            start = time.perf_counter()
            prices = solver(problem)
            times.append(time.perf_counter() - start)
        return {"seconds": min(times), "gap": gap(problem, feasible(prices, problem.Z), lower)}
    except (RuntimeError, ArithmeticError, SolverError) as error:
        return {"note": f"failed: {error}".splitlines()[0][:60]}


def gap(problem: Problem, prices: np.ndarray, lower: float) -> float:
    """How far the dual function at the prices is above the certified bound, relative to the size of the rewards."""
    rewards, costs, rho, _ = problem
    scale = np.abs(rewards).max(axis=1).mean()
    return max(0.0, float((dual_value(rewards, costs, rho, prices) - lower) / scale))
