"""Facts about the certified solvers of hdbwk.dual, checked against textbook versions."""

from typing import NamedTuple

import numpy as np
import pytest
from helpers.dual_cases import EXACT, ORACLE, GaussianInstance, random_data, reward_scale
from helpers.exact_dual import ExactDual, exactly
from helpers.forms import FORMS
from helpers.heavy_tails import check, judged
from hypothesis import given, settings
from hypothesis import strategies as st

from hdbwk.dual import DualSolution, ResolvingDual, UncertifiedDualError, solve_dual
from hdbwk.dual.solution import certify
from hdbwk.textbook.dual import best_assignment, dual_by_cvxpy, dual_by_linprog, dual_value, linear_data


@pytest.mark.parametrize(("n", "K", "m", "Z"), [(3, 2, 1, 5.0), (50, 3, 4, 8.0), (400, 5, 10, 0.3), (1500, 4, 6, 4.0)])
def test_minimum_is_that_of_linprog(n, K, m, Z):
    rewards, costs, rho = random_data(np.random.default_rng(n), n, K, m)
    solution = solve_dual(rewards, costs, rho, Z)
    assert solution.value == pytest.approx(dual_by_linprog(rewards, costs, rho, Z)[0], abs=ORACLE)
    assert solution.gap <= EXACT * reward_scale(rewards)


@pytest.mark.parametrize("seed", range(3))
def test_minimum_is_that_of_cvxpy(seed):
    rewards, costs, rho = random_data(np.random.default_rng(seed), 60, 3, 4)
    assert solve_dual(rewards, costs, rho, 3.0).value == pytest.approx(
        dual_by_cvxpy(rewards, costs, rho, 3.0)[0], abs=1e-6
    )


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 60),
    K=st.integers(1, 4),
    m=st.integers(1, 5),
    Z=st.floats(0, 20),
)
@settings(max_examples=150, deadline=None)
def test_bounds_hold_at_any_feasible_prices(seed, n, K, m, Z):
    """Weak duality: no feasible prices beat the lower bound, and the value is F at the prices returned."""
    rng = np.random.default_rng(seed)
    rewards, costs, rho = random_data(rng, n, K, m)
    solution = solve_dual(rewards, costs, rho, Z)
    rounding = 1e-12 * (1.0 + Z)
    assert solution.lam.min() >= 0.0
    assert solution.lam.sum() <= Z * (1.0 + 1e-12)
    assert solution.value == pytest.approx(dual_value(rewards, costs, rho, solution.lam), abs=rounding)
    for other in Z * rng.dirichlet(np.ones(m + 1), 20)[:, :m]:
        assert dual_value(rewards, costs, rho, other) >= solution.lower_bound - rounding


def test_prices_and_slacks_are_complementary():
    """With the optimal assignment of the primal, a resource with a price has no capacity left."""
    rewards, costs, rho = random_data(np.random.default_rng(5), 200, 3, 5)
    solution = solve_dual(rewards, costs, rho, np.inf)
    _, assignment = best_assignment(rewards, costs, 200 * rho)
    slack = rho - np.einsum("nk,nkm->m", assignment, costs) / 200
    assert (solution.lam > 0.01).any()
    assert np.abs(solution.lam * slack).max() <= 1e-6


class Problem(NamedTuple):
    """The arguments of solve_dual."""

    rewards: np.ndarray
    costs: np.ndarray
    rho: np.ndarray
    Z: float


def with_entry(array, i, value):
    """A copy whose resource i has this value."""
    out = array.copy()
    out[..., i] = value
    return out


DEGENERACIES = {
    "duplicated resources": lambda p, i: p._replace(costs=p.costs[:, :, :1].repeat(p.rho.size, axis=2)),
    "a resource that is free": lambda p, i: p._replace(costs=with_entry(p.costs, i, 0.0)),
    "no capacity": lambda p, i: p._replace(rho=with_entry(p.rho, i, 0.0)),
    "endless capacity": lambda p, i: p._replace(rho=with_entry(p.rho, i, 1e6)),
    "a cap that binds": lambda p, i: p._replace(Z=0.05),
    "no prices": lambda p, i: p._replace(Z=0.0),
    "no good arm": lambda p, i: p._replace(rewards=-np.abs(p.rewards)),
    "ties": lambda p, i: p._replace(rewards=np.round(p.rewards), costs=np.round(p.costs)),
    "duplicated samples": lambda p, i: p._replace(
        rewards=p.rewards[:1].repeat(len(p.rewards), axis=0), costs=p.costs[:1].repeat(len(p.costs), axis=0)
    ),
    "no refunds": lambda p, i: p._replace(costs=np.abs(p.costs)),
    "debts": lambda p, i: p._replace(rho=-p.rho),
    "no consumption": lambda p, i: p._replace(costs=np.zeros_like(p.costs)),
}


def degenerate(rng):
    """Small problems with up to three kinds of degeneracy, at scales of 1e-6, 1 and 1e6."""
    n, K, m = rng.choice([1, 2, 5, 12, 40]), rng.choice([1, 2, 4]), rng.choice([1, 2, 5])
    rewards, costs = rng.normal(size=(n, K)), rng.normal(0.5, 1.0, (n, K, m))
    problem, i = Problem(rewards, costs, rng.uniform(0.05, 0.8, m), rng.uniform(1.0, 10.0)), rng.integers(m)
    for kind in rng.choice(list(DEGENERACIES), rng.integers(0, 4), replace=False):
        problem = DEGENERACIES[kind](problem, i)
    rewards, costs, rho, Z = problem
    reward_unit, cost_unit = rng.choice([1e-6, 1.0, 1e6], 2)
    return rewards * reward_unit, costs * cost_unit, rho * cost_unit, Z * reward_unit / cost_unit


def test_degenerate_problems_are_solved_like_highs():
    for seed in range(2000):
        rewards, costs, rho, Z = degenerate(np.random.default_rng([7, seed]))
        unit = np.abs(rewards).max() or Z * np.abs(rho).max() or 1.0
        solution = solve_dual(rewards, costs, rho, Z)
        unit = max(unit, 1e-5 * abs(solution.value))  # a value of 1e7 rewards is not known to 1e-9 rewards
        assert solution.gap <= EXACT * unit, seed
        assert abs(solution.value - dual_by_linprog(rewards, costs, rho, Z)[0]) <= ORACLE * unit, seed
        assert abs(solution.value - dual_value(rewards, costs, rho, solution.lam)) <= EXACT * unit, seed


def test_many_tied_samples_are_solved():
    """Rounded data at a size where samples are fixed and flip in groups."""
    rng = np.random.default_rng(3)
    rewards, costs, rho = random_data(rng, 2500, 3, 4)
    rewards, costs = np.round(rewards), np.round(costs)
    assert solve_dual(rewards, costs, rho, 5.0).value == pytest.approx(
        dual_by_linprog(rewards, costs, rho, 5.0)[0], abs=ORACLE
    )


def test_order_of_samples_does_not_matter():
    rewards, costs, rho = random_data(np.random.default_rng(1), 1000, 3, 4)
    order = np.argsort(rewards[:, 0])
    shuffled, ordered = (solve_dual(rewards[k], costs[k], rho, 4.0) for k in (np.arange(1000), order))
    assert ordered.value == pytest.approx(shuffled.value, abs=2 * EXACT)


def test_infinite_cap_needs_positive_capacity():
    rewards, costs, rho = random_data(np.random.default_rng(0), 20, 2, 2)
    assert np.isfinite(solve_dual(rewards, costs, rho, np.inf).value)
    with pytest.raises(ValueError, match=r"Z = inf needs every rho > 0"):
        solve_dual(rewards, costs, [0.0, 1.0], np.inf)


def drifting_estimates(instance, rng, t):
    """The truth plus noise of order 1/sqrt(t) on the supports, and a spurious coordinate now and then."""
    noise = 1.0 / np.sqrt(t)
    mu = np.where(instance.mu != 0, instance.mu + noise * rng.standard_normal(instance.mu.shape), 0.0)
    W = np.where(instance.W != 0, instance.W + noise * rng.standard_normal(instance.W.shape), 0.0)
    mu[rng.integers(len(mu)), rng.integers(mu.shape[1])] = noise
    return mu, W, instance.rho + 0.3 * noise * rng.standard_normal(len(instance.rho))


@pytest.mark.parametrize("tol", [None, "exact"])
def test_warm_rounds_are_certified_independently(tol):
    instance, rng = GaussianInstance(), np.random.default_rng(11)
    K, m, d = instance.W.shape
    contexts = instance.contexts(400, rng)
    dual = ResolvingDual(d, K, m, expected_samples=16)
    for t, x in enumerate(contexts, 1):
        dual.add(x)
        mu, W, rho = drifting_estimates(instance, rng, t)
        solution = dual.solve(mu, W, rho, 4.0, tol)
        rewards, costs = linear_data(contexts[:t], mu, W)
        allowed = (0.1 / t if tol is None else EXACT) * reward_scale(rewards) * (1.0 + 1e-9)
        assert solution.gap <= allowed
        assert solution.value == pytest.approx(dual_value(rewards, costs, rho, solution.lam), abs=1e-10)
        cold = solve_dual(rewards, costs, rho, 4.0)
        assert cold.lower_bound - 1e-10 <= solution.value <= cold.value + allowed
        if t % 40 == 1:
            assert (
                solution.lower_bound - ORACLE <= dual_by_linprog(rewards, costs, rho, 4.0)[0] <= solution.value + ORACLE
            )


def test_estimates_may_jump():
    """Unrelated estimates every round: nothing of the last round is right, the certificate still is."""
    instance, rng = GaussianInstance(), np.random.default_rng(2)
    K, m, d = instance.W.shape
    contexts = instance.contexts(700, rng)
    dual = ResolvingDual(d, K, m)
    dual.extend(contexts)
    for seed in range(15):
        other = GaussianInstance(seed)
        solution = dual.solve(other.mu, other.W, other.rho - 0.1 * seed, 3.0, "exact")
        rewards, costs = linear_data(contexts, other.mu, other.W)
        assert solution.value == pytest.approx(
            dual_by_linprog(rewards, costs, other.rho - 0.1 * seed, 3.0)[0], abs=ORACLE
        )


def test_zero_estimates_give_a_zero_value():
    dual = ResolvingDual(3, 2, 2)
    dual.add(np.ones(3))
    assert dual.solve(np.zeros((2, 3)), np.zeros((2, 2, 3)), np.ones(2), 5.0).value == 0.0


def test_solving_twice_gives_the_same_bits():
    def run():
        instance, rng = GaussianInstance(), np.random.default_rng(4)
        dual = ResolvingDual(*instance.mu.shape[::-1], len(instance.rho))
        prices = []
        for t in range(1, 60):
            dual.add(instance.contexts(1, rng)[0])
            prices.append(dual.solve(*drifting_estimates(instance, rng, t), 4.0).lam)
        return np.array(prices)

    assert np.array_equal(run(), run())


@pytest.mark.parametrize("bad", [np.nan, np.inf, -5.0])
def test_what_a_caller_writes_into_the_prices_spoils_no_later_round(bad):
    instance, contexts = GaussianInstance(), GaussianInstance().contexts(60, np.random.default_rng(0))
    spoilt, untouched = ResolvingDual(40, 3, 4), ResolvingDual(40, 3, 4)
    for dual in (spoilt, untouched):
        dual.extend(contexts)
    first = [dual.solve(instance.mu, instance.W, instance.rho, 4.0) for dual in (spoilt, untouched)]
    first[0].lam[:] = bad
    second = [dual.solve(1.1 * instance.mu, instance.W, instance.rho, 4.0) for dual in (spoilt, untouched)]
    assert np.array_equal(second[0].lam, second[1].lam)


def test_a_round_without_a_certificate_spoils_no_later_round(tmp_path):
    instance = GaussianInstance()
    dual = ResolvingDual(40, 3, 4)
    dual.extend(instance.contexts(60, np.random.default_rng(0)))
    with pytest.raises(UncertifiedDualError):
        dual.solve(1e308 * np.sign(instance.mu), 1e308 * np.sign(instance.W), instance.rho, 4.0, save_to=tmp_path)
    rewards, costs = linear_data(dual._sifter.samples.rows[:60], instance.mu, instance.W)
    solution = dual.solve(instance.mu, instance.W, instance.rho, 4.0, "exact")
    assert solution.value == pytest.approx(dual_by_linprog(rewards, costs, instance.rho, 4.0)[0], abs=ORACLE)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_any_form_of_the_data_gives_the_same_prices(form):
    instance, contexts = GaussianInstance(), GaussianInstance().contexts(60, np.random.default_rng(0))
    rewards, costs = linear_data(contexts, instance.mu, instance.W)
    prices = []
    for shaped in (np.array, form):
        dual = ResolvingDual(40, 3, 4)
        dual.extend(shaped(contexts))
        warm = dual.solve(shaped(instance.mu), shaped(instance.W), shaped(instance.rho), 4.0)
        prices += [warm.lam, solve_dual(shaped(rewards), shaped(costs), shaped(instance.rho), 4.0).lam]
    assert np.array_equal(prices[:2], prices[2:])


def test_inputs_are_left_alone():
    instance = GaussianInstance()
    before = [a.copy() for a in (instance.mu, instance.W, instance.rho)]
    dual = ResolvingDual(40, 3, 4)
    dual.extend(instance.contexts(50, np.random.default_rng(0)))
    dual.solve(instance.mu, instance.W, instance.rho, 4.0)
    for old, new in zip(before, (instance.mu, instance.W, instance.rho), strict=True):
        assert np.array_equal(old, new)


def contexts_with_outliers(n):
    """Consumption of order one, but for every twelfth sample, where it is 1e13."""
    rng = np.random.default_rng(n)
    contexts = np.column_stack([rng.normal(0.5, 1.0, n), np.abs(rng.standard_normal(n))])
    contexts[::12] = 1.0, 1e13
    return contexts


@pytest.mark.parametrize("n", [40, 700])
def test_a_huge_row_that_left_the_sums_leaves_no_trace(n):
    """At first all samples are fixed to the arm, then those that consume 1e13 leave it."""
    contexts, (mu, W) = contexts_with_outliers(n), (np.array([[1.0, 0.0]]), np.array([[[0.0, 1.0]]]))
    dual = ResolvingDual(2, 1, 1)
    dual.extend(contexts)
    dual.solve(mu, W, [1e16], 1e-12, "exact")
    solution = dual.solve(mu, W, [0.3], 5.0, "exact")
    exact = ExactDual(contexts, mu, W, [0.3], 5.0)
    lam = exactly(solution.lam)
    assert solution.lower_bound <= exact.value(exact.improved(lam)) <= solution.value + solution.rounding
    assert abs(exact.value(lam) - solution.value) <= solution.rounding
    assert solution.gap <= EXACT


def test_no_certificate_is_wrong_with_heavy_tails():
    counts = check(300)
    assert counts["wrong"] == 0
    assert counts["refused"] <= 9  # honest, but rare: 0.4% of 6000


@pytest.mark.parametrize("tol", [None, "exact"])
def test_numbers_that_overflow_are_refused(tol, tmp_path):
    dual = ResolvingDual(2, 1, 1)
    contexts = np.array([[1e200, 1.0], [-1e160, 2.0], [1.0, 1e150]])
    dual.extend(contexts)
    problem = np.array([[1e200, -1.0]]), np.array([[[1.0, 1e200]]]), np.ones(1), 1e200
    assert judged(dual, contexts, problem, tol, tmp_path) != "wrong"


def test_a_lower_bound_above_the_value_is_an_error(tmp_path):
    solution = DualSolution(np.zeros(1), 1.0, 1.1, rounding=0.01, tolerance=0.5, passes=1, iterations=1)
    with pytest.raises(UncertifiedDualError, match=r"dual gap -0\.09 is negative"):
        certify(solution, 1.0, tmp_path)


UNITS = {
    "large": [1.0, 1e6, 1.0, 1e9],
    "small": [1e-6, 1.0, 1e-9, 1.0],
    "mixed": [1e-6, 1.0, 1e9, 1e12],
}


@pytest.mark.parametrize("units", UNITS.values(), ids=UNITS)
@pytest.mark.parametrize("seed", range(6))
def test_units_of_resources_do_not_matter(units, seed):
    rewards, costs, rho = random_data(np.random.default_rng(seed), 200, 3, 4)
    common = solve_dual(rewards, costs, rho, np.inf)
    solution = solve_dual(rewards, costs * units, rho * units, np.inf)
    assert abs(solution.value - common.value) <= common.tolerance + solution.tolerance
    assert dual_value(rewards, costs, rho, solution.lam * units) <= common.value + 2 * solution.tolerance


@pytest.mark.parametrize("units", UNITS.values(), ids=UNITS)
@pytest.mark.parametrize("Z", [0.05, 0.3, 5.0])
def test_a_cap_on_prices_in_different_units_is_kept(units, Z):
    rewards, costs, rho = random_data(np.random.default_rng(3), 200, 3, 4)
    solution = solve_dual(rewards, costs * units, rho * units, Z)
    optimum, _ = dual_by_linprog(rewards, costs, rho, Z, shares=1.0 / np.array(units))
    assert solution.lam.sum() <= Z
    assert solution.value == pytest.approx(optimum, abs=ORACLE)


@pytest.mark.parametrize("units", UNITS.values(), ids=UNITS)
def test_warm_rounds_in_different_units_are_certified(units):
    """Also where a capacity is used up, so that the prices have no bound but Z."""
    instance, rng = GaussianInstance(), np.random.default_rng(6)
    contexts = instance.contexts(120, rng)
    dual = ResolvingDual(40, 3, 4)
    for t, x in enumerate(contexts, 1):
        dual.add(x)
        mu, W, rho = drifting_estimates(instance, rng, t)
        rho = np.maximum(rho, 0.02)
        rho[0] -= 0.02 * (t % 3)
        solution = dual.solve(mu, W * np.array(units)[:, np.newaxis], rho * units, 4.0)
        rewards, costs = linear_data(contexts[:t], mu, W)
        if t % 10 == 0:
            optimum, _ = dual_by_linprog(rewards, costs, rho, 4.0, shares=1.0 / np.array(units))
            assert solution.lower_bound - ORACLE <= optimum <= solution.value + ORACLE


def test_uncertified_answer_raises_and_saves_the_instance(tmp_path):
    rewards, costs, rho = random_data(np.random.default_rng(0), 100, 3, 4)
    with pytest.raises(UncertifiedDualError, match=r"gap .* exceeds the tolerance .* rewards \(100, 3\)") as error:
        solve_dual(rewards, costs, rho, 4.0, max_iterations=1, save_to=tmp_path)
    (file,) = tmp_path.glob("*.npz")
    assert str(file) in str(error.value)
    with np.load(file, allow_pickle=False) as saved:
        assert np.array_equal(saved["costs"], costs)
        assert saved["Z"] == 4.0


def test_uncertified_round_saves_contexts_and_estimates(tmp_path):
    instance = GaussianInstance()
    dual = ResolvingDual(40, 3, 4)
    dual.extend(instance.contexts(80, np.random.default_rng(0)))
    with pytest.raises(UncertifiedDualError, match=r"contexts \(80, 40\)"):
        dual.solve(instance.mu, instance.W, instance.rho, 4.0, "exact", max_iterations=1, save_to=tmp_path)
    with np.load(next(tmp_path.glob("*.npz")), allow_pickle=False) as saved:
        assert saved["contexts"].shape == (80, 40)
        assert np.array_equal(saved["W"], instance.W)


def fail_to_certify(seed, **options):
    rewards, costs, rho = random_data(np.random.default_rng(seed), 30, 3, 4)
    with pytest.raises(UncertifiedDualError) as error:
        solve_dual(rewards, costs, rho, 4.0, max_iterations=1, **options)
    return str(error.value)


def test_an_uncertified_problem_is_saved_once(tmp_path):
    first, second = (fail_to_certify(0, save_to=tmp_path) for _ in range(2))
    assert first == second
    fail_to_certify(1, save_to=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_newest_ten_uncertified_problems_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    messages = [fail_to_certify(seed) for seed in range(13)]
    (folder,) = tmp_path.iterdir()
    kept = {str(path) for path in folder.iterdir()}
    assert kept == {message.split(" saved in ")[1] for message in messages[-10:]}


def test_only_our_own_problems_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    fail_to_certify(0)
    (folder,) = (tmp_path / "temporary").iterdir()
    (folder / "notes.txt").touch()
    for seed in range(12):
        fail_to_certify(seed)
        fail_to_certify(seed, save_to=tmp_path / "mine")
    assert (folder / "notes.txt").exists()
    assert len(list((tmp_path / "mine").iterdir())) == 12


def test_a_folder_that_cannot_be_written_hides_no_error(tmp_path):
    (tmp_path / "file").touch()
    assert "could not be saved" in fail_to_certify(0, save_to=tmp_path / "file")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rewards": np.zeros(3)}, r"rewards has shape \(3,\), expected \(any, any\)"),
        ({"costs": np.zeros((2, 2, 1))}, r"costs has shape \(2, 2, 1\), expected \(3, 2, any\)"),
        ({"rho": [1.0]}, r"rho has shape \(1,\), expected \(2\)"),
        ({"rewards": np.full((3, 2), np.nan)}, "rewards contains values that are not finite"),
        ({"Z": -1.0}, "Z = -1.0 is not allowed"),
        ({"Z": np.nan}, "Z = nan is not allowed"),
        ({"tol": 0.0}, r"tol = 0.0 is not allowed"),
        ({"tol": "loose"}, r"tol = 'loose' is not allowed"),
        ({"tol": True}, r"tol = True is not allowed"),
        ({"tol": [1e-3]}, r"tol = \[0.001\] is not allowed"),
        ({"Z": "5"}, "Z = '5' is not allowed"),
        ({"Z": None}, "Z = None is not allowed"),
        ({"max_iterations": -1}, "max_iterations = -1 must be an integer of at least 1"),
        ({"max_iterations": "many"}, "max_iterations = 'many' must be"),
    ],
)
def test_wrong_input_is_named(change, message):
    good = {"rewards": np.zeros((3, 2)), "costs": np.zeros((3, 2, 2)), "rho": np.ones(2), "Z": 1.0}
    with pytest.raises(ValueError, match=message):
        solve_dual(**(good | change))


def test_wrong_use_of_the_resolving_dual_is_named():
    with pytest.raises(ValueError, match="n_arms = 0 must be an integer of at least 1"):
        ResolvingDual(3, 0, 1)
    dual = ResolvingDual(3, 2, 1)
    with pytest.raises(ValueError, match="call add"):
        dual.solve(np.zeros((2, 3)), np.zeros((2, 1, 3)), np.ones(1), 1.0)
    with pytest.raises(ValueError, match=r"x has shape \(2,\), expected \(3\)"):
        dual.add(np.zeros(2))


def test_an_empty_working_set_is_no_problem():
    """Solving again with no new context and no near ties leaves only the linear part to the model."""
    dual = ResolvingDual(1, 1, 1)
    dual.extend(np.ones((30, 1)))
    values = [dual.solve(np.ones((1, 1)), np.full((1, 1, 1), 0.1), [1.0], Z).value for Z in (5.0, 5.0, 0.5, 5.0)]
    assert values == pytest.approx([1.0] * 4, abs=0.1 / 30)
