"""The certified dual: against cvxpy and linprog in a real run of Algorithm 4, and for the fluid benchmark."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.bars import Bar, all_of, at_least
from hdbwk import InstanceInfo, rng, simulate
from hdbwk.dual import DualSolution, ResolvingDual, fluid_value
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.policies.resolving import Resolving
from hdbwk.textbook.dual import dual_by_cvxpy, dual_by_linprog, linear_data

HORIZON = 5000
WINDOWS = (20, 50, 100, 200, 500, 1000, 4000)  # first rounds of the windows in which times count
LENGTH = 50  # rounds of a window
EVERY = 10  # the oracles solve every tenth round of a window
TARGETS = {1000: 80, 4000: 400}  # against cvxpy
SAMPLE = 200_000
PATIENCE = 60  # what linprog has for the large sample, in our times
ORACLE = 1e-6  # accuracy of linprog on data of order one


def bars() -> list[Bar]:
    """All bars of this file."""
    instance = CBwKInstance.draw(rng(1, "bench"), 200, 10, 5, 10)
    follow(instance, 60)  # load the kernels
    run = follow(instance, HORIZON)
    return [*(cvxpy_bar(run, t) for t in TARGETS), linprog_bar(run), certified_bar(run), fluid_bar(instance)]


class WatchedDual:
    """The dual of a policy, with the times of its solutions and of the oracles on the same problems."""

    def __init__(self, dual: ResolvingDual) -> None:
        self.dual = dual
        self.contexts: list[np.ndarray] = []
        self.times: dict[str, dict[int, list[float]]] = {
            name: {first: [] for first in WINDOWS} for name in ("ours", "linprog", "cvxpy")
        }
        self.correct: list[bool] = []

    def add(self, x: np.ndarray) -> None:
        """A context for the dual and for the oracles."""
        self.contexts.append(x)
        self.dual.add(x)

    def solve(self, mu: np.ndarray, W: np.ndarray, rho: np.ndarray, Z: float, tol: Any) -> DualSolution:
        """Solve as asked; in the windows, keep the time, and let the oracles solve the problem too."""
        spent, solution = timed(lambda: self.dual.solve(mu, W, rho, Z, tol))
        t = len(self.contexts)
        for first in WINDOWS:
            if first <= t < first + LENGTH:
                self.times["ours"][first].append(spent)
                if (t - first) % EVERY == 0:
                    self._ask_the_oracles(first, mu, W, rho, Z, solution)
        return solution

    def _ask_the_oracles(
        self, first: int, mu: np.ndarray, W: np.ndarray, rho: np.ndarray, Z: float, solution: DualSolution
    ) -> None:
        data = linear_data(np.array(self.contexts), mu, W)
        spent, (optimum, _) = timed(lambda: dual_by_linprog(*data, rho, Z))
        self.times["linprog"][first].append(spent)
        self.correct.append(solution.lower_bound - ORACLE <= optimum <= solution.value + ORACLE)
        if first in TARGETS:
            self.times["cvxpy"][first].append(timed(lambda: dual_by_cvxpy(*data, rho, Z))[0])

    def ratio(self, oracle: str, first: int) -> float:
        """How many times longer the oracle takes than we do, on average over a window."""
        return float(np.mean(self.times[oracle][first]) / np.mean(self.times["ours"][first]))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, which a busy machine does not change, and the answer."""
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


def follow(instance: CBwKInstance, horizon: int) -> WatchedDual:
    """Algorithm 4 with the skip rule, its dual watched."""
    value = fluid_value(instance, rng(1, "bench fluid"), n=20_000).value
    stream = instance.sample(horizon, rng(1, "bench stream"), value)
    info = InstanceInfo(200, 5, horizon, rng(1, "policy"), rho=instance.rho, value=value)
    policy = Resolving(info, explore=WINDOWS[0])
    watched = WatchedDual(policy.dual)
    policy.dual = watched
    simulate(policy, stream, "skip")
    return watched


def cvxpy_bar(run: WatchedDual, t: int) -> Bar:
    """Against cvxpy with its default solver."""
    ours = 1e3 * np.mean(run.times["ours"][t])
    return at_least(f"re-solve at t = {t}, against cvxpy", TARGETS[t], run.ratio("cvxpy", t), f"{ours:.1f} ms")


def linprog_bar(run: WatchedDual) -> Bar:
    """The window in which linprog comes closest."""
    ratios = {first: run.ratio("linprog", first) for first in WINDOWS if first <= 1000}
    worst = min(ratios, key=ratios.__getitem__)
    return at_least("re-solve against linprog, worst window of t = 20..1050", 1, ratios[worst], f"at t = {worst}")


def certified_bar(run: WatchedDual) -> Bar:
    """The optimum of linprog lies between the two bounds of our certificate."""
    return all_of("re-solves whose certificate holds the optimum of linprog", run.correct)


def fluid_bar(instance: CBwKInstance) -> Bar:
    """fluid_value with all its draws against linprog on a sample of that size, data given."""
    ours, fluid = timed(lambda: fluid_value(instance, rng(1, "bench fluid"), n=SAMPLE))
    data = linear_data(instance.contexts(SAMPLE, rng(1, "bench sample")), instance.mu, instance.W)
    start = time.perf_counter()
    try:
        dual_by_linprog(*data, instance.rho, fluid.value / instance.rho.min(), time_limit=PATIENCE * ours)
        note = "linprog finished"
    except RuntimeError as error:
        if "Time limit" not in str(error):
            raise
        note = "at least: linprog did not finish"
    spent = time.perf_counter() - start
    name = f"fluid_value, n = {SAMPLE}, against linprog with {PATIENCE} times its time"
    return at_least(name, 50, spent / ours, f"{ours:.1f} s; {note}")
