"""The diagnosis finds what is built into an instance, and its bounds bracket the truth."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from helpers.cbwk_cases import draw
from scipy.stats import chi2

from hdbwk import diagnose, rng
from hdbwk.diagnostics.dual_regularity import optimal_prices
from hdbwk.diagnostics.eigenvalues import gershgorin, sparse_minimum
from hdbwk.diagnostics.recommendation import recommend
from hdbwk.diagnostics.sample import Sample
from hdbwk.environments.contexts import PowerDecay


def gaussian(n=2000, d=6, seed=0):
    return rng(seed, "gaussian").standard_normal((n, d))


def two_arms(d):
    """Opposite arms along the first axis: each is chosen on a half-space."""
    return np.array([[0.5, *[0] * (d - 1)], [-0.5, *[0] * (d - 1)]])


def single_resource(rho, n=4000, noisy=False):
    """One arm with reward u ~ U[0, 1] and cost c of mean 1: lambda* = 1 - rho and L = 1 if c = 1."""
    generator = rng(3, "single")
    cost = generator.uniform(0, 2, n) if noisy else np.ones(n)
    X = np.column_stack([generator.uniform(0, 1, n), cost])
    return diagnose(X, mu=[[1, 0]], W=[[[0, 1]]], rho=[rho], sparsity=1)


@pytest.fixture(scope="module")
def healthy():
    instance = draw(1)
    X = instance.contexts(6000, rng(1, "diagnosis"))
    return diagnose(X, mu=instance.mu, W=instance.W, rho=instance.rho, sparsity=4)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n", "size"), [(40, 3), (40, 1), (40, 8), (5, 4)])
def test_bounds_bracket_the_sparse_eigenvalues_of_all_supports(seed, n, size):
    X = rng(seed, "brute").standard_normal((n, 8)) * rng(seed, "scale").uniform(0.3, 2, 8)
    gram = X.T @ X / n
    for S in (gram, -gram):
        exact = min(np.linalg.eigvalsh(S[np.ix_(i, i)])[0] for i in combinations(range(8), size))
        found = sparse_minimum(S, size)
        assert found.low <= exact + 1e-12
        assert exact <= found.high + 1e-12


def test_discs_are_exact_where_all_entries_pull_the_same_way():
    S = np.full((8, 8), -0.1) + 1.1 * np.eye(8)
    assert gershgorin(S, 4) == pytest.approx(0.7)
    assert sparse_minimum(S, 4)[:2] == pytest.approx((0.7, 0.7))


def test_the_search_finds_a_planted_pair():
    X = gaussian(400, 60)
    X[:, 41] = X[:, 7] + 0.01 * gaussian(400, 1, seed=1)[:, 0]
    found = sparse_minimum(X.T @ X / 400, 2)
    assert found.high < 1e-3


def test_identity_is_certified_exactly():
    diagnosis = diagnose(gaussian(100, 12), second_moment=np.eye(12), sparsity=2)
    for quantity in ("phi_min", "phi_max", "kappa"):
        finding = diagnosis[quantity]
        assert (finding.low, finding.estimate, finding.high) == pytest.approx((1, 1, 1))
        assert finding.how == "certified"


def test_power_decay_is_worst_on_neighbours_and_between_a_third_and_three():
    diagnosis = diagnose(gaussian(100, 60), second_moment=PowerDecay(60).covariance, sparsity=5)
    block = np.linalg.eigvalsh(PowerDecay(10).covariance)
    smallest, largest = diagnosis["phi_min"], diagnosis["phi_max"]
    assert smallest.estimate == pytest.approx(block[0])
    assert largest.estimate == pytest.approx(block[-1])
    assert 1 / 3 < smallest.low <= smallest.high
    assert largest.low <= largest.high < 3


def test_collinear_contexts_leave_no_variant_with_a_guarantee():
    X = gaussian()
    X[:, 1] = X[:, 0]
    diagnosis = diagnose(X, mu=two_arms(6), sparsity=2)
    assert diagnosis["phi_min"].estimate == pytest.approx(0, abs=1e-9)
    assert diagnosis["kappa"].holds is False
    assert diagnosis["gamma"].holds is False
    assert diagnosis.recommendation == "eps-greedy"
    assert "no variant has a guarantee" in diagnosis.reasons[2]


def test_fewer_contexts_than_coordinates_are_said_to_prove_nothing():
    kappa = diagnose(gaussian(150, 200), sparsity=5)["kappa"]
    assert kappa.how == "search"
    assert np.isinf(kappa.high) or kappa.high > 1e6
    assert "smallest eigenvalue is 0" in kappa.note


def test_too_few_contexts_for_a_support_leave_kappa_undecided():
    assert diagnose(gaussian(40, 100), sparsity=10)["kappa"].holds is None


def test_a_cone_is_not_diverse():
    X = np.abs(gaussian())
    X[:, 0] += 3
    with_model = diagnose(X, mu=two_arms(6), sparsity=2)
    assert with_model["gamma"].estimate == 0
    assert with_model["gamma"].holds is False
    assert with_model.recommendation == "eps-greedy"
    without = diagnose(X, sparsity=2)
    assert without["lambda_0"].estimate == 0
    assert without["lambda_0"].holds is False
    assert without.recommendation == "eps-greedy"


def test_a_cone_whose_axis_is_not_its_mean_is_found_without_a_model():
    spread = np.linspace(0.3, 3, 30)
    X = gaussian(8000, 30) * spread
    inside = X @ (1 / spread) > 1.5
    finding = diagnose(X[inside], sparsity=2)["lambda_0"]
    assert finding.estimate < 0.005
    assert finding.holds is False


def test_half_spaces_of_isotropic_contexts_hold_half_of_the_energy():
    finding = diagnose(gaussian(20000, 4), sparsity=2)["lambda_0"]
    assert finding.estimate == pytest.approx(0.5, rel=0.08)
    assert finding.holds


def test_gamma_of_two_half_spaces_is_the_quantile_of_chi_square():
    gamma = diagnose(gaussian(20000, 3), mu=two_arms(3), sparsity=1, zeta=1 / 8)["gamma"]
    assert gamma.estimate == pytest.approx(chi2.isf(1 / 4, df=1), rel=0.1)
    assert gamma.low < gamma.estimate < gamma.high


def test_a_uniform_gap_has_margin_constant_one():
    X = rng(5, "uniform").uniform(-1, 1, (5000, 3))
    M = diagnose(X, mu=two_arms(3), sparsity=1)["M"]
    assert M.low <= 1 <= M.high
    assert M.high < 2
    assert M.holds


@pytest.mark.parametrize("apart", [0.0, 1e-5])
def test_two_equal_arms_have_no_margin(apart):
    X = gaussian()
    arm = np.array([1.0, 0, 0, 0, 0, 0])
    other = np.array([0, 1.0, 0, 0, 0, 0])
    W = rng(2, "W").uniform(0, 1, (3, 1, 6))
    W[1] = W[0]
    diagnosis = diagnose(X, mu=[arm, arm + apart * other, other], W=W, rho=[0.3], sparsity=2)
    assert diagnosis["M"].holds is False
    assert diagnosis["M (local)"].holds is False
    assert np.isinf(diagnosis["M"].estimate) == (apart == 0)
    assert diagnosis.recommendation != "resolving"
    assert "margin" in diagnosis.reasons[0]


def test_prices_and_growth_of_one_resource_are_known():
    diagnosis = single_resource(rho=0.3)
    price, growth = diagnosis["delta_B"], diagnosis["L"]
    assert price.low <= 0.7 <= price.high
    assert growth.estimate == pytest.approx(1, rel=0.25)
    assert growth.holds
    assert price.holds
    assert np.isnan(diagnosis["delta_NB"].estimate)


@pytest.mark.parametrize("noisy", [False, True])
def test_a_resource_that_binds_at_price_zero_is_degenerate(noisy):
    diagnosis = single_resource(rho=1.0, n=20000, noisy=noisy)
    assert diagnosis["delta_B"].holds is False
    assert "surely positive of resource 0 (price" in diagnosis["delta_B"].note
    assert diagnosis.recommendation != "resolving"
    assert "non-degeneracy" in diagnosis.reasons[0]


@pytest.mark.parametrize("rho", [1.2, 1.5, 2.0, 4.0])
def test_a_plentiful_resource_does_not_bind(rho):
    diagnosis = single_resource(rho=rho, noisy=True)
    assert diagnosis["delta_NB"].low <= rho - 1 <= diagnosis["delta_NB"].high
    assert diagnosis["delta_NB"].holds
    assert np.isnan(diagnosis["delta_B"].estimate)


def test_a_resource_that_is_not_exhausted_has_no_price():
    X = np.column_stack([rng(3, "u").uniform(0, 1, 500), np.ones(500)])
    sample = Sample.of(X, [[1, 0]], [[[0, 1]]], [1.5])
    assert optimal_prices(sample, 2, rng(1)).lam[0] == 0


def test_a_resource_counted_twice_has_no_growth():
    instance = draw(1)
    W, rho = instance.W[:, [0, 0]], instance.rho[[0, 0]]
    diagnosis = diagnose(instance.contexts(2000, rng(1)), mu=instance.mu, W=W, rho=rho, sparsity=4)
    assert diagnosis["L"].holds is False
    assert diagnosis.recommendation != "resolving"


def test_a_healthy_instance_is_recommended_resolving(healthy):
    assert healthy.recommendation == "resolving"
    assert all(finding.holds for finding in healthy.findings if finding.quantity != "D")


def test_local_conditions_are_no_better_than_those_at_the_optimum(healthy):
    assert healthy["gamma (local)"].estimate <= healthy["gamma"].estimate
    assert healthy["M (local)"].estimate >= healthy["M"].estimate


@pytest.mark.parametrize("quantity", ["kappa", "gamma (local)", "M (local)", "L", "delta_B"])
def test_one_doubt_prevents_resolving(healthy, quantity):
    findings = {finding.quantity: finding for finding in healthy.findings}
    assert recommend(findings).variant == "resolving"
    doubtful = {**findings, quantity: replace(findings[quantity], holds=None)}
    assert recommend(doubtful).variant == "diverse-covariate"
    doubtful["gamma"] = replace(findings["gamma"], holds=None)
    assert recommend(doubtful).variant == "eps-greedy"


def test_the_report_has_the_recommendation_its_reasons_and_every_constant(healthy):
    text = str(healthy)
    flat = " ".join(text.split())
    assert "Recommended: resolving" in text
    assert all(reason in flat for reason in healthy.reasons)
    assert all(" ".join(gap.split()) in flat for gap in healthy.unchecked)
    assert all(finding.quantity in text for finding in healthy.findings)
    assert max(map(len, text.splitlines())) <= 100


def test_the_table_is_tidy(healthy):
    table = healthy.table()
    columns = ["assumption", "quantity", "estimate", "low", "high", "how", "holds", "note"]
    assert list(table.columns) == columns
    assert table["quantity"].is_unique
    assert set(table["how"]) <= {"certified", "search", "sample"}
    measured = table.dropna(subset=["low", "high"])
    assert (measured["low"] <= measured["estimate"]).all()
    assert (measured["estimate"] <= measured["high"]).all()


def test_a_constant_that_was_not_measured_is_named(healthy):
    with pytest.raises(KeyError, match=r"lambda_0.*there are D, phi_min"):
        healthy["lambda_0"]


def test_equal_seeds_give_equal_reports():
    X = gaussian(400)
    first, again, other = (str(diagnose(X, mu=two_arms(6), sparsity=2, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_bound_of_the_law_decides_boundedness():
    X = gaussian(100)
    assert diagnose(X)["D"].holds is None
    assert diagnose(X, bound=np.inf)["D"].holds is False
    assert diagnose(np.clip(X, -1, 1), bound=1.0)["D"].holds is True
    assert diagnose(X, bound=1.0)["D"].holds is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": np.zeros(50)}, r"X has shape \(50,\)"),
        ({"X": np.full((50, 2), np.nan)}, "X contains values that are not finite"),
        ({"X": np.zeros((39, 2))}, "X has 39 rows, at least 40"),
        ({"mu": np.zeros((2, 3))}, r"mu has shape \(2, 3\), expected \(any, 6\)"),
        ({"mu": np.zeros((6, 6))}, "6 arms need at least 120"),
        ({"W": np.zeros((2, 1, 6)), "rho": [1.0]}, "W and rho need mu"),
        ({"mu": two_arms(6), "W": np.zeros((2, 1, 6))}, "given together"),
        ({"mu": two_arms(6), "W": np.zeros((3, 1, 6)), "rho": [1.0]}, "W has shape"),
        ({"mu": two_arms(6), "W": np.zeros((2, 1, 6)), "rho": [1.0, 1.0]}, "rho has shape"),
        ({"mu": two_arms(6), "W": np.zeros((2, 1, 6)), "rho": [0.0]}, "every capacity must be positive"),
        ({"mu": 0 * two_arms(6), "W": np.ones((2, 1, 6)), "rho": [1.0]}, "no arm has a positive reward"),
        ({"sparsity": 0}, "sparsity = 0"),
        ({"zeta": 1.5}, "zeta = 1.5"),
        ({"resamples": 1}, "resamples = 1"),
        ({"bound": -1.0}, "bound = -1.0"),
        ({"second_moment": np.eye(5)}, "second_moment has shape"),
        ({"second_moment": np.triu(np.ones((6, 6)))}, "second_moment is not symmetric"),
    ],
)
def test_wrong_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        diagnose(arguments.pop("X", gaussian(100)), **arguments)
