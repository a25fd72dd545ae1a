"""The certified dual: against cvxpy and linprog in a real run of Algorithm 4, and for the fluid benchmark."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.bars import Bar, all_of, at_least, at_most, exponent_at_most
from hdbwk import InstanceInfo, rng, simulate
from hdbwk.dual import DualSolution, ResolvingDual, fluid_value, solve_dual
from hdbwk.dual.arms import net_rewards, sparse_arms
from hdbwk.dual.scores import scan
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.policies.resolving import Resolving
from hdbwk.textbook.dual import dual_by_cvxpy, dual_by_linprog, linear_data

HORIZON = 5000
WINDOWS = (20, 50, 100, 200, 500, 1000, 4000)  # first rounds of the windows in which times count
LENGTH = 50  # rounds of a window
EVERY = 10  # the oracles solve every tenth round of a window
TARGETS = {1000: 500, 4000: 2000}  # against cvxpy
WHOLE = 4000  # horizon of the run all of whose re-solves count
GROWTH_HORIZON = 1000  # of the runs with other numbers of arms or resources
SIZES = (3, 6, 12, 24)  # these numbers
SAMPLE = 200_000
LARGE = 20_000, 10, 5  # contexts, arms, resources: the shape of issue 1733 of HiGHS
PATIENCE = 60  # what linprog has for the large sample, in our times
ORACLE = 1e-6  # accuracy of linprog on data of order one


def bars() -> list[Bar]:
    """All bars of this file."""
    instance = CBwKInstance.draw(rng(1, "bench"), 200, 10, 5, 10)
    follow(instance, 60)  # load the kernels
    run = follow(instance, HORIZON)
    return [
        *(cvxpy_bar(run, t) for t in TARGETS),
        linprog_bar(run),
        certified_bar(run),
        *whole_run_bars(follow(instance, WHOLE, ask=False)),
        *growth_bars(run),
        cold_bar(),
        fluid_bar(instance),
    ]


class WatchedDual:
    """The dual of a policy, with the times of its solutions and of the oracles on the same problems."""

    def __init__(self, dual: ResolvingDual, ask: bool) -> None:
        self.dual, self.ask = dual, ask
        self.resolves: list[float] = []
        self.passes: list[float] = []  # one pass over the samples, for each re-solve
        self.contexts: list[np.ndarray] = []
        self.times: dict[str, dict[int, list[float]]] = {
            name: {first: [] for first in WINDOWS} for name in ("ours", "linprog", "cvxpy")
        }
        self.problems: list[tuple[Any, ...]] = []  # for the oracles, after the run: they would empty the caches in it
        self.correct: list[bool] = []

    def add(self, x: np.ndarray) -> None:
        """A context for the dual and for the oracles."""
        self.contexts.append(x)
        self.dual.add(x)

    def solve(self, mu: np.ndarray, W: np.ndarray, rho: np.ndarray, Z: float, tol: Any) -> DualSolution:
        """Solve as asked; in the windows, keep the time, and some problems for the oracles."""
        spent, solution = timed(lambda: self.dual.solve(mu, W, rho, Z, tol))
        t = len(self.contexts)
        self.resolves.append(spent)
        self.passes.append(self._one_pass(mu, W, solution.lam))
        for first in WINDOWS:
            if self.ask and first <= t < first + LENGTH:
                self.times["ours"][first].append(spent)
                if (t - first) % EVERY == 0:
                    self.problems.append((first, t, mu.copy(), W.copy(), rho.copy(), Z, solution))
        return solution

    def _one_pass(self, mu: np.ndarray, W: np.ndarray, lam: np.ndarray) -> float:
        """All samples are scored anew, as if no score were kept."""
        net = net_rewards(sparse_arms(np.ascontiguousarray(mu), np.ascontiguousarray(W)), lam)
        samples = self.dual._sifter.samples
        samples.scores.net[:] = np.nan
        return timed(lambda: scan(samples, self.dual.n_contexts, net, 1.0))[0]

    def ask_the_oracles(self) -> None:
        """The time that they take for the same problems, and whether their optimum is between our bounds."""
        for first, t, mu, W, rho, Z, solution in self.problems:
            problem = (*linear_data(np.array(self.contexts[:t]), mu, W), rho, Z)
            spent, (optimum, _) = timed(partial(dual_by_linprog, *problem))
            self.times["linprog"][first].append(spent)
            self.correct.append(solution.lower_bound - ORACLE <= optimum <= solution.value + ORACLE)
            if first in TARGETS:
                self.times["cvxpy"][first].append(timed(partial(dual_by_cvxpy, *problem))[0])

    def ratio(self, oracle: str, first: int) -> float:
        """How many times longer the oracle takes than we do, on average over a window."""
        return float(np.mean(self.times[oracle][first]) / np.mean(self.times["ours"][first]))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, which a busy machine does not change, and the answer."""
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


def follow(instance: CBwKInstance, horizon: int, ask: bool = True) -> WatchedDual:
    """Algorithm 4 with the skip rule, its dual watched; in the windows, if we ask them, the oracles solve too."""
    value = fluid_value(instance, rng(1, "bench fluid"), n=20_000).value
    stream = instance.sample(horizon, rng(1, "bench stream"), value)
    info = InstanceInfo(200, len(instance.mu), horizon, rng(1, "policy"), rho=instance.rho, value=value)
    policy = Resolving(info, explore=WINDOWS[0])
    watched = WatchedDual(policy.dual, ask)
    policy.dual = watched
    simulate(policy, stream, "skip")
    watched.ask_the_oracles()
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


def whole_run_bars(run: WatchedDual) -> list[Bar]:
    """All re-solves of a run, the first and the last ones included."""
    passes, name = np.mean(run.resolves) / np.mean(run.passes), f"re-solves of a whole run, T = {WHOLE}"
    return [
        at_most(f"{name}: mean, in passes over the samples", 5, float(passes), ""),
        at_most(f"{name}: the largest", 5, 1e3 * max(run.resolves), " ms"),
    ]


def growth_bars(run: WatchedDual) -> list[Bar]:
    """How the time of a re-solve grows with t, with the number of arms and with that of resources."""
    late = [first for first in WINDOWS if first >= 200]
    over_rounds = [float(np.mean(run.times["ours"][first])) for first in late]
    return [
        exponent_at_most(f"re-solve, growth with t in {late}", 1.0, late, over_rounds),
        exponent_at_most(f"re-solve, growth with K in {SIZES}", 1.1, SIZES, [typical(K, 10) for K in SIZES]),
        exponent_at_most(f"re-solve, growth with m in {SIZES}", 1.5, SIZES, [typical(5, m) for m in SIZES]),
    ]


def typical(n_arms: int, n_resources: int) -> float:
    """The median over the second half of a run."""
    instance = CBwKInstance.draw(rng(1, "bench growth"), 200, 10, n_arms, n_resources)
    return float(np.median(follow(instance, GROWTH_HORIZON, ask=False).resolves[GROWTH_HORIZON // 2 :]))


def cold_bar() -> Bar:
    """solve_dual to its certificate of 1e-9 against linprog, both from nothing."""
    n, K, m = LARGE
    generator = rng(1, "bench large")
    rewards, costs = generator.uniform(size=(n, K)), generator.uniform(size=(n, K, m))
    rho = np.full(m, 0.25)
    Z = float(rewards.max() / rho.min())
    ours, _ = timed(lambda: solve_dual(rewards, costs, rho, Z))
    return against_linprog(f"cold solve, {n} contexts, {K} arms, {m} resources", 1, ours, rewards, costs, rho, Z)


def fluid_bar(instance: CBwKInstance) -> Bar:
    """fluid_value with all its draws against linprog on a sample of that size, data given."""
    ours, fluid = timed(lambda: fluid_value(instance, rng(1, "bench fluid"), n=SAMPLE))
    data = linear_data(instance.contexts(SAMPLE, rng(1, "bench sample")), instance.mu, instance.W)
    Z = fluid.value / instance.rho.min()
    return against_linprog(f"fluid_value, n = {SAMPLE}", 50, ours, *data, instance.rho, Z)


def against_linprog(name: str, target: float, ours: float, *problem: Any) -> Bar:
    """How many times longer linprog takes for a large problem; it may take 60 times as long."""
    start = time.perf_counter()
    try:
        dual_by_linprog(*problem, time_limit=PATIENCE * ours)
        note = "linprog finished"
    except RuntimeError as error:
        if "Time limit" not in str(error):
            raise
        note = "at least: linprog did not finish"
    ratio = (time.perf_counter() - start) / ours
    return at_least(f"{name}, against linprog with {PATIENCE} times its time", target, ratio, f"{ours:.1f} s; {note}")
