"""Warm duals on heavy-tailed contexts, every certificate checked in rational arithmetic.

`python -m helpers.heavy_tails 5000`, in tests/, checks that many problems; a seeded part of them is among the tests.
"""

import sys
import tempfile
from collections import Counter
from fractions import Fraction

import numpy as np
from helpers.exact_dual import ExactDual, exactly

from hdbwk.dual import ResolvingDual, UncertifiedDualError
from hdbwk.textbook.dual import dual_by_linprog, linear_data

SOLVES = 10  # of one dual, with unrelated estimates
LAWS = {
    "Student": lambda rng, size: rng.standard_t(1.5, size),
    "Cauchy": lambda rng, size: rng.standard_cauchy(size) ** 3,
    "log-normal": lambda rng, size: np.exp(rng.normal(0.0, 6.0, size)),
    "outliers": lambda rng, size: rng.normal(0.5, 1.0, size) * 10.0 ** rng.choice([0, 0, 0, 0, 5, 9, 13], size),
    "one huge column": lambda rng, size: (
        np.abs(rng.normal(size=size))
        * np.where((np.arange(size[1]) == size[1] - 1) & (rng.random((size[0], 1)) < 0.1), 1e13, 1.0)
    ),
}


def check(n_problems, seed=0, report=lambda text: None):
    """How many certificates were right, wrong or refused."""
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for case in range(-(-n_problems // SOLVES)):
            for name in warm_solves(np.random.default_rng([seed, case]), folder):
                counts[name] += 1
                if name == "wrong":
                    report(f"case {case}: wrong")
            if case % 50 == 49:
                report(f"{case + 1} duals: {dict(counts)}")
    return counts


def warm_solves(rng, folder):
    """One dual: contexts arrive, and estimates, capacities and caps change wildly."""
    d, K, m = rng.integers(1, 5), rng.integers(1, 4), rng.choice([1, 1, 2, 3])
    law = LAWS[rng.choice(list(LAWS))]
    contexts = np.clip(law(rng, (rng.integers(5, 50), d)), -1e14, 1e14)
    dual, used = ResolvingDual(d, K, m), 0
    for _ in range(SOLVES):
        new = len(contexts) - used if rng.random() < 0.5 else rng.integers(0, len(contexts) - used + 1)
        new = max(new, 1 - used)
        if new:
            dual.extend(contexts[used : used + new])
            used += new
        yield judged(dual, contexts[:used], random_problem(rng, d, K, m), rng.choice([None, "exact"]), folder)


def random_problem(rng, d, K, m):
    """Estimates of order one with zeros, capacities from 1e-3 to 1e16, caps from 1e-12 to infinity."""
    mu = rng.normal(size=(K, d)) * (rng.random((K, d)) < 0.7)
    W = rng.normal(0.5, 1.0, (K, m, d)) * (rng.random((K, m, d)) < 0.7)
    rho = rng.uniform(0.05, 1.0, m) * 10.0 ** rng.choice([-3, 0, 0, 0, 5, 12, 16])
    if rng.random() < 0.2:
        rho[rng.integers(m)] *= rng.choice([0.0, -1.0])
    caps = [1e-12, 1e-6, 0.3, 5.0, 5.0, 1e4, np.inf]
    Z = rng.choice(caps if rho.min() > 0.0 else caps[:-1])
    return mu, W, rho, float(Z)


def judged(dual, contexts, problem, tol, folder):
    """Solve, and compare what the certificate says with exact values."""
    try:
        solution = dual.solve(*problem, tol, save_to=folder)
    except UncertifiedDualError:
        return "refused"
    exact = ExactDual(contexts, *problem)
    lam = exactly(solution.lam)
    best = min(exact.value(exact.improved(start)) for start in [lam, *oracle(exact, contexts, problem)])
    value, rounding, lower = (Fraction(x) for x in (solution.value, solution.rounding, solution.lower_bound))
    right = (
        exact.is_feasible(lam)
        and abs(exact.value(lam) - value) <= rounding
        and lower <= best <= value + rounding
        and 0 <= exact.value(lam) - best <= Fraction(solution.gap)
        and solution.gap <= solution.tolerance
    )
    return "right" if right else "wrong"


def oracle(exact, contexts, problem):
    """The prices of HiGHS where it finds any and the search along resources may miss the minimum."""
    mu, W, rho, Z = problem
    if rho.size == 1:
        return
    try:
        data = linear_data(contexts, mu, W)
        cap = min(Z, np.abs(data[0]).max() / rho.min()) if rho.min() > 0.0 else Z
        lam = exactly(np.maximum(dual_by_linprog(*data, rho, cap)[1], 0.0))
    except (RuntimeError, ValueError):
        return
    if exact.is_feasible(lam):
        yield lam


if __name__ == "__main__":
    print(dict(check(int(sys.argv[1]), seed=1, report=lambda text: print(text, flush=True))))
