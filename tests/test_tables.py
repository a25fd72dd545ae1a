"""Tables carry their origin, appear whole or not at all, and are merged only if they belong together."""

import pandas as pd
import pytest

from hdbwk.tables import Chunk, atomic, merge_chunks, read_table, write_table, write_text

ORIGIN = {"method": "a", "seed": 1, "version": "0", "config": "x"}


def chunk(path, trials):
    rows = [{"method": "a", "trial": trial, "t": t, "error": 1.0} for trial in trials for t in (1, 2)]
    write_table(pd.DataFrame(rows), path, {**ORIGIN, "seconds": 0.1})
    return path


def test_a_table_comes_back_with_its_origin(tmp_path):
    table, origin = read_table(chunk(tmp_path / "a.parquet", [0, 1]), ORIGIN)
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


def test_a_write_removes_what_a_killed_one_left(tmp_path):
    (tmp_path / ".file.123.txt").write_text("half")
    write_text("whole", tmp_path / "file.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


def test_chunks_are_merged_in_order(tmp_path):
    chunks = {chunk(tmp_path / f"{trials[0]}.parquet", trials): Chunk(ORIGIN, trials) for trials in ([2, 3], [0, 1])}
    assert list(merge_chunks(chunks)["trial"]) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_files_of_others_are_refused_by_name(tmp_path):
    (tmp_path / "empty.parquet").touch()
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "foreign.parquet")
    with pytest.raises(ValueError, match=r"empty\.parquet is not a readable parquet"):
        read_table(tmp_path / "empty.parquet", {})
    with pytest.raises(ValueError, match=r"foreign\.parquet was not written by hdbwk"):
        read_table(tmp_path / "foreign.parquet", {})
