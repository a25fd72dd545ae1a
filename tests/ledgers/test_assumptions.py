"""The ledger of assumptions says of the experiments' instances what their diagnoses say."""

import pytest
from helpers.specs import smoke

from hdbwk.diagnostics.finding import Finding
from hdbwk.ledgers import assumptions


def finding(holds, estimate=1.0):
    return Finding("2", "gamma", estimate, estimate - 0.5, estimate + 0.5, "search", holds, f"note {holds}")


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ((True, True), "holds"),
        ((True, None), "unclear"),
        ((None, False), "fails"),
        ((True, False), "fails"),
    ],
)
def test_one_failure_decides_and_one_doubt_prevents(outcomes, verdict):
    row = assumptions.summary([finding(holds, i) for i, holds in enumerate(outcomes)])
    assert row["verdict"] == verdict
    assert row["holding"] == outcomes.count(True)
    assert (row["smallest"], row["mean"], row["largest"]) == (0, 0.5, 1)
    assert (row["low"], row["high"]) == (-0.5, 1.5)


@pytest.fixture(scope="module")
def ledger():
    specs = {name: smoke(name) for name in ("recovery", "bandit", "cbwk")}
    return assumptions.judge(specs, seed=2024, contexts=1000, instances=2)


def test_the_ledger_lists_what_each_experiment_needs(ledger):
    needed = ledger.groupby("experiment")["assumption"].agg(set)
    assert needed["recovery"] == {"1.1", "1.2"}
    assert needed["bandit"] == {"1.1", "1.2", "2", "3"}
    assert needed["cbwk"] == {"1.1", "1.2", "2", "3", "4(i)", "4(ii)", "5.1", "5.2"}
    assert set(ledger["verdict"]) <= {"holds", "fails", "unclear"}


def test_gaussian_contexts_fail_boundedness_and_meet_the_eigenvalues(ledger):
    verdicts = ledger.set_index(["experiment", "quantity"])["verdict"]
    for name in ("recovery", "bandit", "cbwk"):
        assert verdicts[name, "D"] == "fails"
        assert verdicts[name, "kappa"] == "holds"


def test_people_see_a_row_for_each_constant(ledger):
    shown = assumptions.shown(ledger)
    assert len(shown) == len(ledger)
    assert shown.iloc[0, :4].tolist() == ["recovery", "1.1 bounded contexts", "Theorem sparse-est", "D"]
    assert shown.loc[0, "holds in"] == "0 of 2"


def test_contexts_with_a_bound_hold_in_the_ledger():
    specs = {"bounded": smoke("recovery", bound=1.0), "uniform": smoke("cbwk", nonnegative=True)}
    table = assumptions.judge(specs, seed=1, contexts=200, instances=1)
    bounds = table[table["quantity"] == "D"]
    assert bounds["verdict"].tolist() == ["holds", "holds"]
    assert bounds["mean"].tolist() == [1.0, 1.0]
