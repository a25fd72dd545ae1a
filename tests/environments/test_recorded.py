"""Streams from tables, and messages for tables that make none."""

import numpy as np
import pandas as pd
import pytest

from hdbwk.environments.bandit import BanditStream
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.environments.recorded import encode, recorded_stream

CONTEXTS = [[1.0, 0.5], [1.0, -0.5], [1.0, 0.0]]
REWARDS = [[1, 0], [0, 1], [1, 0]]
CONSUMPTIONS = np.ones((3, 2, 1))


def test_a_table_without_consumption_is_a_bandit():
    stream = recorded_stream(CONTEXTS, REWARDS)
    assert isinstance(stream, BanditStream)
    assert stream.regret(np.array([0, 0, 0]))[-1] == 1


def test_a_table_with_consumption_has_capacities():
    stream = recorded_stream(CONTEXTS, REWARDS, CONSUMPTIONS, [0.5])
    assert isinstance(stream, CBwKStream)
    assert stream.capacity == [1.5]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((pd.DataFrame({"a": [1.0, 2, 3], "b": [1, None, 3]}), REWARDS), r"contexts\[1, 1\] \(column 'b'\) = nan"),
        ((pd.DataFrame({"a": ["x", "y", "z"]}), REWARDS), "contexts has entries that are not numbers"),
        ((CONTEXTS, [[1, 0]]), "rewards has 1 rows, contexts has 3"),
        ((CONTEXTS, [1, 0, 1]), r"rewards has shape \(3,\), expected 2 dimensions"),
        ((CONTEXTS, REWARDS, None, [1.0]), "rho needs consumptions"),
        ((CONTEXTS, REWARDS, CONSUMPTIONS), "consumptions needs rho"),
        ((CONTEXTS, REWARDS, CONSUMPTIONS, [0.0]), r"rho\[0\] = 0 must be positive"),
        ((CONTEXTS, REWARDS, CONSUMPTIONS, [1.0, 2.0]), "rho has 2 entries, consumptions has 1 resources"),
        ((CONTEXTS, REWARDS, -CONSUMPTIONS, [1.0]), "consumptions has an entry -1"),
        ((CONTEXTS, REWARDS, np.ones((3, 3, 1)), [1.0]), r"consumptions has shape \(3, 3, 1\)"),
    ],
)
def test_tables_that_make_no_stream_are_refused(args, message):
    with pytest.raises(ValueError, match=message):
        recorded_stream(*args)


def test_columns_become_numbers():
    table = pd.DataFrame({"age": [20.0, 40.0, None, 60.0], "sex": ["f", None, "m", " f"], "rare": list("aaab")})
    encoded = encode(table, ["age"], ["sex", "rare"], least=1)
    assert list(encoded["sex: f"]) == [1, 0, 0, 1]
    assert list(encoded["sex: missing"]) == [0, 1, 0, 0]
    assert list(encoded["age: missing"]) == [0, 0, 1, 0]
    assert encoded["age"].mean() == pytest.approx(0)
    assert np.isfinite(encoded.to_numpy()).all()
    assert "rare: b" not in encode(table, ["age"], ["rare"], least=2)


@pytest.mark.parametrize(
    ("numeric", "categorical", "message"),
    [
        (["height"], [], "the table has no column 'height'; it has 'age', 'same', 'text'"),
        ([], ["sex"], "no column 'sex'"),
        (["text"], [], "column 'text' is not numeric"),
        (["same"], [], "column 'same' has the same value in all rows"),
    ],
)
def test_columns_that_are_not_what_they_should_be_are_named(numeric, categorical, message):
    table = pd.DataFrame({"age": [1.0, 2.0], "same": [1.0, 1.0], "text": ["a", "b"]})
    with pytest.raises(ValueError, match=message):
        encode(table, numeric, categorical)
