"""The experiments of the field: one table for several laws of instances, times, and pictures."""

import pandas as pd
import pytest
from helpers.specs import changed, smoke

from hdbwk.core.spec import SpecError
from hdbwk.experiments.cbwk.law import benchmarks, read_benchmarks
from hdbwk.experiments.field import figure
from hdbwk.experiments.field.names import family_of, name_of
from hdbwk.experiments.field.times import times


@pytest.fixture(scope="module")
def bandit():
    return smoke("field_bandit")


@pytest.fixture(scope="module")
def table(bandit):
    return pd.concat([bandit.run_trials(method, range(2), 1) for method in ("online_ht", "online_lasso")])


def test_all_laws_are_run_and_the_first_one_at_all_horizons(bandit, table):
    places = table.groupby("size")["horizon"].unique().map(sorted)
    assert places[0] == [50, 100]
    assert set(places.index) == set(range(len(bandit.instances)))
    assert all(horizons == [100] for horizons in places.drop(0))


def test_assumed_sparsities_follow_that_of_the_law(bandit):
    laws = dict(zip(bandit.instances, (sized for _, sized in bandit.sizes()), strict=True))
    assert laws["paper"].methods["online_ht"].estimator.sparsity == 3
    assert laws["dense"].methods["online_ht"].estimator.sparsity == 9
    assert laws["two_groups"].instance(0, 1).n_arms == 3


def test_a_law_runs_as_an_experiment_of_its_own_would(bandit, table):
    alone = changed(bandit, instances=None, correlation=0.9, horizons=[100])
    rows = table[(table["size"] == 1) & (table["method"] == "online_ht") & (table["trial"] == 1)]
    expected = alone.run("online_ht", 1, 1)
    assert rows["regret"].tolist() == expected["regret"].tolist()


def test_laws_with_the_same_contexts_are_paired(bandit):
    laws = dict(zip(bandit.instances, (sized for _, sized in bandit.sizes()), strict=True))
    assert (laws["paper"].instance(0, 1).mu == laws["heavy"].instance(0, 1).mu).all()


@pytest.mark.parametrize(
    ("instances", "message"),
    [
        ({}, "instances must name one at least"),
        ({"long": {"horizon": 10}}, "instances.long: horizon is the same for all instances"),
        ({"hard": {"design": "two_groups"}}, "two_groups needs n_arms = 3 and sparsity = 3"),
        ({"thin": {"sparsity": 1000}}, "sparsity = 1000 exceeds"),
    ],
)
def test_laws_that_cannot_be_are_refused(bandit, instances, message):
    with pytest.raises(SpecError, match=message):
        type(bandit).read({**bandit.model_dump(), "instances": instances}, "field_bandit")


def test_each_law_of_knapsacks_has_its_benchmark():
    knapsack = changed(smoke("field_knapsack"), fluid_contexts=500)
    values = read_benchmarks(benchmarks(knapsack.fluid(), [0], 1))
    assert set(values) == {(0, place) for place in range(len(knapsack.instances))}
    rows = knapsack.run_trials("primal_dual_lasso", [0], 1, values)
    assert set(rows["size"]) == set(range(len(knapsack.instances)))


def test_a_figure_shows_every_law_horizons_and_times(bandit, table, tmp_path):
    two = bandit.model_copy(update={"methods": {m: bandit.methods[m] for m in ("online_ht", "online_lasso")}})
    measured = times(two, seed=1)
    assert (measured["seconds"] > 0).all()
    data = figure.curves(table, measured, two)
    assert set(data["panel"]) == {"rounds", "horizons", "time"}
    assert set(data[data["panel"] == "rounds"]["instance"]) == set(bandit.instances)
    figure.draw(data, two, [tmp_path / "field.png"])
    assert (tmp_path / "field.png").stat().st_size > 10_000


def test_the_frontier_holds_what_no_quicker_method_beats():
    rows = pd.DataFrame({"method": [*"abcd"], "seconds": [4.0, 1.0, 3.0, 2.0], "mean": [1.0, 5.0, 6.0, 2.0]})
    assert figure.frontier(rows)["method"].tolist() == ["b", "d", "a"]


def test_a_family_is_what_a_method_estimates_with():
    methods = smoke("field_knapsack").methods
    assert name_of("resolving_lasso", methods["resolving_lasso"]) == "Alg. 4, online LASSO"
    assert family_of(methods["resolving_lasso"]) == family_of(methods["primal_dual_lasso"])
    assert family_of(methods["resolving_lasso"]) != family_of(methods["resolving_ht"])
