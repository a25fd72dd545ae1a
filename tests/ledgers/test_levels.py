"""The ledger of unknown s0 compares on the same trials."""

import pandas as pd
import pytest

from hdbwk.ledgers.levels import judge, shown

ERRORS = {"known_ht": [10, 11, 12], "auto_ht": [20, 22, 24], "level_2_ht": [90, 90, 90], "level_16_ht": [20, 22, 25]}


@pytest.fixture
def table():
    rows = [
        {"method": method, "trial": trial, "size": size, "t": 200, "error": size * error}
        for method, errors in ERRORS.items()
        for trial, error in enumerate(errors)
        for size in (3, 10)
    ]
    return judge({}, {"rates_unknown_recovery": pd.DataFrame(rows)})


def test_there_is_a_row_for_each_sparsity(table):
    assert list(table["s0"]) == [3, 10]
    assert list(table["auto"]) == [66, 220]
    assert list(table["trials"]) == [3, 3]


def test_the_best_level_is_that_of_the_least_mean(table):
    assert list(table["best_level"]) == [16, 16]
    assert table["to_best"].tolist() == pytest.approx([66 / 67] * 2)
    assert (table["to_best_low"] < table["to_best"]).all()


def test_the_ratio_to_the_known_sparsity_is_exact_where_trials_agree(table):
    columns = ["to_known_low", "to_known", "to_known_high"]
    assert table[columns].to_numpy().ravel() == pytest.approx(2.0)
    assert list(shown(table)["best level"]) == ["67 (s0' = 16)", "223 (s0' = 16)"]
