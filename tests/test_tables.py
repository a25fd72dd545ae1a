"""Tables carry their origin, appear whole or not at all, and are merged only if they belong together."""

import numpy as np
import pandas as pd
import pytest

from hdbwk.tables import atomic, merge_chunks, read_table, write_table

ORIGIN = {"method": "a", "seed": 1, "version": "0", "config": "x"}


def chunk(path, trials, origin=ORIGIN, value=1.0):
    rows = [{"method": origin["method"], "trial": trial, "t": t, "error": value} for trial in trials for t in (1, 2)]
    write_table(pd.DataFrame(rows), path, {**origin, "seconds": 0.1})
    return path


def test_a_table_comes_back_with_its_origin(tmp_path):
    table, origin = read_table(chunk(tmp_path / "a.parquet", [0, 1]))
    assert origin == {**ORIGIN, "seconds": 0.1}
    assert list(table["trial"]) == [0, 0, 1, 1]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_chunks_are_merged_in_order(tmp_path):
    paths = [chunk(tmp_path / "2.parquet", [2, 3]), chunk(tmp_path / "1.parquet", [0, 1])]
    assert list(merge_chunks(paths, {"a": ORIGIN}, 4)["trial"]) == [0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"trials": [1]}, "trials 0..3 once"),
        ({"trials": [1, 2, 3]}, "trials 0..3 once"),
        ({"trials": [2, 3], "origin": {**ORIGIN, "seed": 2}}, "b.parquet has seed = 2"),
        ({"trials": [2, 3], "origin": {**ORIGIN, "config": "y"}}, "b.parquet has config = 'y'"),
        ({"trials": [2, 3], "origin": {**ORIGIN, "method": "z"}}, "b.parquet has method = 'z'"),
        ({"trials": [2, 3], "value": np.nan}, "b.parquet holds a number that is not finite"),
        ({"trials": [2, 3], "value": np.inf}, "b.parquet holds a number that is not finite"),
    ],
)
def test_foreign_or_broken_chunks_are_refused_by_name(tmp_path, second, message):
    paths = [chunk(tmp_path / "a.parquet", [0, 1]), chunk(tmp_path / "b.parquet", **second)]
    with pytest.raises(ValueError, match=message):
        merge_chunks(paths, {"a": ORIGIN}, 4)


def test_files_of_others_are_refused_by_name(tmp_path):
    (tmp_path / "empty.parquet").touch()
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "foreign.parquet")
    with pytest.raises(ValueError, match=r"empty\.parquet is not a readable parquet"):
        read_table(tmp_path / "empty.parquet")
    with pytest.raises(ValueError, match=r"foreign\.parquet was not written by hdbwk"):
        read_table(tmp_path / "foreign.parquet")
