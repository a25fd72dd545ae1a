"""The whole workflow is killed ten times at random moments: nothing is lost, nothing is different."""

import os
import shutil
import signal
import subprocess
import time
from base64 import urlsafe_b64encode

import pandas as pd
import pytest
from helpers.fault_runs import CHUNK, TABLES, TARGETS, killed_write, leftovers, small_project, snakemake, start

from hdbwk.core.seeds import rng

pytestmark = pytest.mark.slow
KILLS = 10


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A finished project."""
    project = small_project(tmp_path_factory.mktemp("undisturbed") / "project")
    code, text = snakemake(project, "--", *TARGETS)
    assert code == 0, text
    return project


def is_killed(project, jobs, delay):
    """Run the workflow; SIGKILL to its process group so many jobs and seconds later. False if it was done before."""
    log = project / "run.log"
    log.touch()
    wanted = log.read_text().count("Finished jobid") + jobs
    process = start(project, "--", *TARGETS, log=log)
    try:
        while process.poll() is None and not (is_locked(project) and log.read_text().count("Finished jobid") >= wanted):
            time.sleep(0.05)
        assert process.wait(timeout=delay) == 0, log.read_text()
    except subprocess.TimeoutExpired:
        return True
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return False


def finished_chunks(project):
    """Path, identity and time of each chunk whose job Snakemake saw to its end."""
    chunks = [path for path in project.glob("results/*/*/[0-9]*-[0-9]*.parquet") if not is_incomplete(project, path)]
    return {(path, path.stat().st_ino, path.stat().st_mtime_ns) for path in chunks}


def is_incomplete(project, path):
    """Whether Snakemake still has its mark on a file: it was killed before the job was over."""
    return mark_of(project, path.relative_to(project)).exists()


def mark_of(project, path):
    return project / ".snakemake/incomplete" / urlsafe_b64encode(str(path).encode()).decode()


def is_locked(project):
    return any((project / ".snakemake/locks").glob("*"))


def unlock(project, by_hand):
    """What a user does after a kill; by hand it saves the start of Snakemake, which at its very end has no locks."""
    if by_hand:
        shutil.rmtree(project / ".snakemake/locks", ignore_errors=True)
    else:
        code, text = snakemake(project, "--unlock")
        assert code == 0, text
    assert not is_locked(project)


def assert_same_tables(project, reference):
    for table in TABLES:
        found, expected = (pd.read_parquet(folder / table) for folder in (project, reference))
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert leftovers(project / "results") == []


def test_a_half_written_chunk_does_not_count_as_finished(tmp_path):
    killed_write(tmp_path / CHUNK)
    assert len(leftovers(tmp_path)) == 1
    assert finished_chunks(tmp_path) == set()


def test_a_kill_at_the_end_of_the_first_job_loses_none_of_the_others(tmp_path):
    project = small_project(tmp_path / "project")
    code, text = snakemake(project, "--", "results/kernels.txt")
    assert code == 0, text
    mark_of(project, "results/kernels.txt").touch()
    code, text = snakemake(project, "--", CHUNK)
    assert code == 0, text
    assert (project / CHUNK).exists()


def test_ten_kills_lose_and_change_nothing(undisturbed, tmp_path):
    random = rng(9, "kills")
    project = small_project(tmp_path / "project")
    kills = 0
    while kills < KILLS:
        before = finished_chunks(project)
        killed = is_killed(project, jobs=random.integers(5), delay=random.uniform(0, 3))
        assert before <= finished_chunks(project), "a finished chunk was run again"
        if killed:
            kills += 1
            unlock(project, by_hand=kills > 1)
        else:
            assert_same_tables(project, undisturbed)
            shutil.rmtree(project / "results")
    code, text = snakemake(project, "--", *TARGETS)
    assert code == 0, text
    assert_same_tables(project, undisturbed)
