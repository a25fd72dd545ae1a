"""The comparison with other libraries is fair: all solve the problem that they are said to solve."""

import time

import numpy as np
import pandas as pd
import pytest
from helpers.dual_cases import random_data

from benchmarks.bars import Bar
from benchmarks.comparison.contenders import CONTENDERS, Contender
from benchmarks.comparison.dual_solvers import Problem, feasible, solvers
from benchmarks.comparison.equal_time import race
from benchmarks.comparison.figure import draw
from benchmarks.comparison.refits import TOLERANCE, penalty
from benchmarks.comparison.report import bar_table, bench_page, wide
from benchmarks.comparison.resolves import follow, gap, solved
from benchmarks.comparison.rounds import NOT_INSTALLED, measured
from benchmarks.comparison.run import COLUMNS
from benchmarks.comparison.sizes import Sizes, recovery
from hdbwk import rng
from hdbwk.dual import solve_dual

DIM, ROWS = 60, 50
MU, STREAM = recovery(DIM, ROWS)
X, Y = STREAM.contexts, STREAM.rewards
INACCURATE = 1e-3  # first-order solvers stop at 1e-4 in their own measure


def online(name, warm=ROWS - 5):
    """The estimate of a contender after all rows, the last five one by one."""
    contender = CONTENDERS[name]
    if not contender.installed:
        pytest.skip(f"{contender.needs} is not installed")
    learner = contender.make()
    learner.start(X[:warm], Y[:warm])
    return [learner.update(X[i : i + 1], Y[i : i + 1]) for i in range(warm, ROWS)][-1]


@pytest.mark.parametrize("name", CONTENDERS)
def test_every_contender_gives_a_finite_estimate_that_beats_zero(name):
    estimate = online(name)
    assert estimate.shape == (DIM,)
    assert np.sum((estimate - MU) ** 2) < np.sum(MU**2)


@pytest.mark.parametrize("name", [name for name, contender in CONTENDERS.items() if contender.kind == "lasso"])
def test_every_lasso_closes_the_duality_gap(name):
    estimate = online(name)
    alpha = penalty(ROWS, DIM)
    residual = Y - X @ estimate
    primal = residual @ residual / (2 * ROWS) + alpha * np.abs(estimate).sum()
    theta = residual * min(1.0, alpha * ROWS / np.abs(X.T @ residual).max())  # feasible for the LASSO's dual
    dual = (Y @ Y - (Y - theta) @ (Y - theta)) / (2 * ROWS)
    assert primal - dual <= TOLERANCE * (Y @ Y) / ROWS


@pytest.mark.parametrize("name", ["ours, Gram", "ours, active", "textbook numpy"])
def test_all_versions_of_online_ht_agree(name):
    np.testing.assert_allclose(online(name), online("ours, auto"), atol=1e-10)


def test_matching_pursuit_on_the_running_gram_is_that_on_the_rows():
    np.testing.assert_allclose(online("OMP, sklearn, running Gram"), online("OMP, sklearn"), atol=1e-10)


def test_a_missing_library_is_said_to_be_missing():
    missing = CONTENDERS["LASSO, celer"]._replace(needs="no_such_module")
    assert measured(missing, 10, MU, X, Y, Sizes()) == {"note": NOT_INSTALLED}


class Oracle:
    """Knows the truth, after a while."""

    def __init__(self, seconds):
        self.seconds = seconds

    def update(self, X, y):
        time.sleep(self.seconds)
        return MU


def test_an_estimate_counts_from_the_moment_at_which_it_is_ready():
    zero = np.sum(MU**2)
    errors, estimates = race(Contender(lambda: Oracle(0.1), "ours"), X, Y, MU, budget=0.25)
    assert estimates == 2
    assert set(errors[:20]) == {zero}  # not before 0.1 of 0.25 s
    assert errors[-1] == 0.0


def test_an_estimate_after_the_end_does_not_count():
    errors, estimates = race(Contender(lambda: Oracle(0.02), "ours"), X, Y, MU, budget=0.01)
    assert estimates == 0
    assert set(errors) == {np.sum(MU**2)}


@pytest.mark.parametrize("name", solvers())
def test_all_solvers_of_the_dual_find_the_optimum(name):
    solver = solvers()[name]
    if solver is None:
        pytest.skip(f"{name} is not installed")
    problem = Problem(*random_data(rng(0, "comparison"), 40, 3, 2), 5.0)
    answer = solved(solver, problem, solve_dual(*problem).lower_bound)
    assert answer["gap"] < INACCURATE


def test_prices_far_outside_their_bounds_are_refused():
    with pytest.raises(RuntimeError, match="outside"):
        feasible(np.array([-1.0, 2.0]), 5.0)


def test_the_run_of_algorithm_4_gives_its_problems():
    resolves = follow((30, 40), dim=20)
    assert [len(resolve.problem.rewards) for resolve in resolves.values()] == [30, 40]
    for problem, prices, times in resolves.values():
        assert len(times) == 10
        assert gap(problem, prices, solve_dual(*problem).lower_bound) <= 0.1 / 30


@pytest.fixture
def table():
    """A small comparison, in which one library is missing."""
    rows = []
    for name in CONTENDERS:
        cell = {"note": NOT_INSTALLED} if "abess" in name else {"seconds": 0.002, "error": 0.1, "megabytes": 3.0}
        for t in (100, 200):
            rows += [{"comparison": part, "contender": name, "t": t, "d": 50} | cell for part in ("t", "equal time")]
            rows.append({"comparison": "d", "contender": name, "t": 20, "d": t} | cell)
        rows.append({"comparison": "memory", "contender": name, "t": 20, "d": 50} | cell)
        if "note" not in cell:
            rows.append({"comparison": "estimates", "contender": name, "t": 200, "d": 50, "estimates": 7} | cell)
    rows.append({"comparison": "change", "contender": "ours, auto", "t": 100, "d": 50, "seconds": 0.05})
    for name in ("ours, warm", *solvers()):
        rows.append({"comparison": "dual", "contender": name, "t": 100, "d": 50, "seconds": 0.2, "gap": 1e-8})
    return pd.DataFrame(rows).reindex(columns=COLUMNS)


def test_a_table_shows_the_note_where_nothing_was_measured(table):
    cells = wide(table[table["comparison"] == "t"], "t", "seconds", "{:.3f}").set_index("contender")
    assert cells.loc["ours, auto"].tolist() == ["0.002", "0.002"]
    assert cells.loc["best subset, abess"].tolist() == [NOT_INSTALLED, NOT_INSTALLED]
    assert list(cells.index) == list(CONTENDERS)


def test_the_page_has_the_bars_and_all_comparisons(table):
    page = bench_page(bar_table([Bar("quick", ">= 2x", "1.0x", False)]), table)
    assert "| bar | target | measured | holds |" in page
    assert "| quick | >= 2x | 1.0x | NO |" in page
    assert all(f"| {name} |" in page for name in [*CONTENDERS, *solvers()])


def test_the_figure_is_drawn(table, tmp_path):
    draw(table, [tmp_path / "speed.png", tmp_path / "speed.pdf"])
    assert (tmp_path / "speed.png").stat().st_size > 10_000
    assert (tmp_path / "speed.pdf").exists()
