"""A disk that is full or read-only, a name that is taken, a second run: a clear message, and no partial file."""

import os
import signal
import time

import pandas as pd
import pytest
from helpers.fault_runs import CHUNK, TABLES, leftovers, mounted, small_project, snakemake, start

from hdbwk.core.files import write_text
from hdbwk.pipeline.folders import obstacles
from hdbwk.pipeline.tables import read_table, write_table


def test_a_write_to_a_full_disk_keeps_the_old_file_and_leaves_no_other(tmp_path):
    with mounted(tmp_path / "disk", "size=64k") as disk:
        path = disk / "table.parquet"
        write_table(pd.DataFrame({"x": [1.0]}), path, {"seed": 1})
        large = pd.DataFrame({"x": range(100_000)}) * 1.5
        with pytest.raises(OSError, match="No space left") as failure:
            write_table(large, path, {"seed": 2})
        assert failure.value.__notes__ == [f"while writing {path}"]
        assert read_table(path, {})[1] == {"seed": 1}
        assert list(disk.iterdir()) == [path]


@pytest.mark.slow
def test_a_full_disk_stops_the_run_with_its_reason_and_no_partial_chunk(tmp_path):
    project = small_project(tmp_path / "project")
    with mounted(project / "results", "size=24k") as results:
        code, text = snakemake(project, "--", TABLES[0])
        assert code != 0
        assert "No space left on device" in text
        for path in results.rglob("*.parquet"):
            read_table(path, {})
        assert leftovers(results) == []


@pytest.mark.slow
def test_a_read_only_folder_is_refused_before_any_job(tmp_path):
    project = small_project(tmp_path / "project")
    with mounted(project / "results", "ro") as results:
        code, text = snakemake(project, "--", CHUNK)
        assert code != 0
        assert f"results cannot be written: {results} is read-only" in text
        assert "Traceback" not in text


@pytest.mark.slow
def test_a_directory_in_the_place_of_a_chunk_is_refused_before_any_job(tmp_path):
    project = small_project(tmp_path / "project")
    (project / CHUNK).mkdir(parents=True)
    code, text = snakemake(project, "--", CHUNK)
    assert code != 0
    assert f"{CHUNK} is a directory where a file should be; remove it" in text
    assert "Traceback" not in text


def test_a_file_in_the_place_of_a_folder_is_an_obstacle(tmp_path):
    (tmp_path / "results").touch()
    lines = list(obstacles([f"{tmp_path}/results/smoke", f"{tmp_path}/figures"], []))
    assert lines == [f"{tmp_path}/results/smoke cannot be a folder: {tmp_path}/results is a file; remove it"]


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_of_others_is_an_obstacle(tmp_path):
    tmp_path.chmod(0o555)
    assert "is read-only, or belongs to somebody else" in next(obstacles([f"{tmp_path}/results"], []))


def test_writing_over_a_directory_fails_and_leaves_nothing(tmp_path):
    (tmp_path / "file.txt").mkdir()
    with pytest.raises(IsADirectoryError):
        write_text("text", tmp_path / "file.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.slow
def test_a_second_run_is_refused_while_the_first_goes_on(tmp_path):
    project = small_project(tmp_path / "project")
    first = start(project, "--", TABLES[0], log=tmp_path / "first.log")
    try:
        while not any(lock.stat().st_size for lock in (project / ".snakemake/locks").glob("*.output.lock")):
            assert first.poll() is None, (tmp_path / "first.log").read_text()
            time.sleep(0.1)
        os.killpg(first.pid, signal.SIGSTOP)  # lest it ends before the second has begun
        code, text = snakemake(project, "--", TABLES[0])
        os.killpg(first.pid, signal.SIGCONT)
        assert first.wait() == 0
    finally:
        first.kill()
    assert code != 0
    assert "Directory cannot be locked" in text
    assert "--unlock" in text
    read_table(project / TABLES[0], {})
