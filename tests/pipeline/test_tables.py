"""Tables carry their origin, appear whole or not at all, and are merged only if they belong together."""

import os

import pandas as pd
import pytest
from helpers.fault_runs import killed_write

from hdbwk.core.files import atomic, write_text
from hdbwk.pipeline.tables import Chunk, merge_chunks, read_table, write_table

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
    path = tmp_path / "file [1].txt"
    killed_write(path)
    assert len(list(tmp_path.iterdir())) == 1
    write_text("whole", path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_leaves_hidden_files_of_others_alone(tmp_path):
    for name in (".file.2024-final.txt", ".file.123.txt", ".file.hdbwk-notes.txt"):
        (tmp_path / name).write_text("mine")
    before = set(tmp_path.iterdir())
    write_text("whole", tmp_path / "file.txt")
    assert set(tmp_path.iterdir()) == before | {tmp_path / "file.txt"}


def test_three_writers_to_one_path_all_succeed(tmp_path):
    path = tmp_path / "file.txt"
    with atomic(path) as first:
        first.write_text("first")
        with atomic(path) as second:
            second.write_text("second")
            with atomic(path) as third:
                third.write_text("third")
            assert path.read_text() == "third"
        assert path.read_text() == "second"
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_file_has_the_mode_that_open_would_give_it(umask, tmp_path):
    usual = os.umask(umask)
    try:
        write_text("text", tmp_path / "file.txt")
    finally:
        os.umask(usual)
    assert (tmp_path / "file.txt").stat().st_mode & 0o777 == 0o666 & ~umask


def test_the_temporary_file_has_the_suffix_by_which_writers_choose_a_format(tmp_path):
    with atomic(tmp_path / "picture.png") as temporary:
        assert temporary.suffix == ".png"


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


def test_the_first_trials_may_have_longer_horizons_and_no_others(tmp_path):
    def written(name, rounds):
        rows = [{"method": "a", "trial": trial, "t": t} for trial, last in rounds.items() for t in range(1, last + 1)]
        write_table(pd.DataFrame(rows), tmp_path / name, {**ORIGIN, "seconds": 0.1})
        return tmp_path / name

    first, second = written("first", {0: 4, 1: 2}), written("second", {2: 2, 3: 2})
    merged = merge_chunks({first: Chunk(ORIGIN, [0, 1], 1), second: Chunk(ORIGIN, [2, 3], 1)})
    assert merged.groupby("trial").size().tolist() == [4, 2, 2, 2]
    with pytest.raises(ValueError, match="fewer rounds"):
        merge_chunks({first: Chunk(ORIGIN, [0, 1]), second: Chunk(ORIGIN, [2, 3])})
    third = written("third", {2: 3, 3: 3})
    with pytest.raises(ValueError, match="rounds of the other chunks"):
        merge_chunks(
            {first: Chunk(ORIGIN, [0, 1], 1), second: Chunk(ORIGIN, [2, 3], 1), third: Chunk(ORIGIN, [2, 3], 1)}
        )
