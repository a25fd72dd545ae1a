"""The ledger of the field says ahead, level or behind, with Holm's correction over all rows."""

import pandas as pd
import pytest

from hdbwk import rng
from hdbwk.ledgers import field, timed_field

METHODS = {"online_ht": 100.0, "quick": 60.0, "same": 100.0, "slow": 150.0, "oracle": 0.0}
CONFIG = {
    "ledgers": {"level": 0.05},
    "field_bandit": {
        "horizon": 1000,
        "instances": {"paper": {}, "other": {}},
        "methods": {method: {"name": "oracle" if method == "oracle" else "any"} for method in METHODS},
    },
}


def trials(n=20):
    rows = []
    for place in (0, 1):
        luck = rng(1, "luck", place).normal(0, 20, n)  # shared by all methods of a trial
        for method, mean in METHODS.items():
            own = rng(1, "own", place, method).normal(0, 5, n)
            rows += [
                {
                    "method": method,
                    "trial": t,
                    "size": place,
                    "horizon": 1000,
                    "t": 1000,
                    "regret": mean + luck[t] + own[t],
                }
                for t in range(n)
            ]
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def table():
    return field.judge(CONFIG, {"field_bandit": trials()})


def test_methods_are_ahead_level_or_behind(table):
    against = table[table["why"] == "the paper's"].set_index(["instance", "method"])["verdict"]
    assert against.xs("quick", level="method").tolist() == ["ahead", "ahead"]
    assert against.xs("same", level="method").tolist() == ["level", "level"]
    assert against.xs("slow", level="method").tolist() == ["behind", "behind"]


def test_nothing_is_ahead_of_the_best(table):
    against = table[table["why"] == "best"]
    assert set(against["against"]) == {"quick"}
    assert set(against["verdict"]) == {"behind"}


def test_controls_are_not_compared(table):
    assert "oracle" not in {*table["method"], *table["against"]}


def test_the_interval_is_that_of_paired_trials(table):
    row = table[(table["why"] == "the paper's") & (table["method"] == "same")].iloc[0]
    assert row["low"] < row["ratio"] < row["high"]
    assert row["high"] - row["low"] < 0.15  # unpaired it would be about 0.25


def test_a_small_difference_among_many_rows_is_level():
    few = trials(4)
    assert "level" in set(field.judge(CONFIG, {"field_bandit": few}).query("method == 'same'")["verdict"])


def test_people_see_both_ratios_in_one_row(table):
    shown = field.shown(table)
    assert len(shown) == 2 * 4
    assert list(shown.columns) == [
        "experiment",
        "instance",
        "method",
        "regret",
        "ratio to the paper's",
        "ratio to the best",
    ]
    assert shown.iloc[1]["ratio to the paper's"].endswith(": ahead")


def test_times_are_set_against_those_of_the_papers_method():
    seconds = pd.DataFrame({"method": ["online_ht", "quick"], "seconds": [1e-5, 3e-5]})
    table = timed_field.judge({"field_bandit": seconds})
    assert table["ratio"].tolist() == pytest.approx([1, 3])
    assert timed_field.shown(table)["microseconds a round"].tolist() == ["10", "30"]
