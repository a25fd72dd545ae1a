"""The whole workflow is killed ten times at random moments: nothing is lost, nothing is different."""

import os
import shutil
import signal
import subprocess
import time
from base64 import urlsafe_b64encode

import pandas as pd
import pytest
from fault_runs import TABLES, TARGETS, leftovers, small_project, snakemake, start

from hdbwk.seeds import rng

KILLS = 10


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A finished project, and how long it took."""
    project = small_project(tmp_path_factory.mktemp("undisturbed") / "project")
    begin = time.monotonic()
    code, text = snakemake(project, "--", *TARGETS)
    assert code == 0, text
    return project, time.monotonic() - begin


def run_until(project, moment):
    """Run the workflow; SIGKILL to its whole process group after so many seconds. Whether it was still running."""
    process = start(project, "--", *TARGETS, log=project / "run.log")
    try:
        assert process.wait(timeout=moment) == 0, (project / "run.log").read_text()
    except subprocess.TimeoutExpired:
        return True
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return False


def finished_chunks(project):
    """Path, identity and time of each chunk whose job Snakemake saw to its end."""
    chunks = [path for path in project.glob("results/*/*/*.parquet") if not is_incomplete(project, path)]
    return {(path, path.stat().st_ino, path.stat().st_mtime_ns) for path in chunks}


def is_incomplete(project, path):
    """Whether Snakemake still has its mark on a file: it was killed before the job was over."""
    mark = urlsafe_b64encode(str(path.relative_to(project)).encode()).decode()
    return (project / ".snakemake/incomplete" / mark).exists()


def unlock(project, properly):
    """What a user does after a kill; later times by hand, which saves the start of Snakemake."""
    if properly:
        code, text = snakemake(project, "--unlock")
        assert code == 0, text
    shutil.rmtree(project / ".snakemake/locks", ignore_errors=True)


def assert_same_tables(project, reference):
    for table in TABLES:
        found, expected = (pd.read_parquet(folder / table) for folder in (project, reference))
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert leftovers(project / "results") == []


def test_ten_kills_lose_and_change_nothing(undisturbed, tmp_path):
    reference, duration = undisturbed
    random = rng(9, "kills")
    project = small_project(tmp_path / "project")
    kills = 0
    while kills < KILLS:
        before = finished_chunks(project)
        if run_until(project, random.uniform(0.25, 0.75) * duration):
            kills += 1
            assert before <= finished_chunks(project), "a finished chunk was run again"
            unlock(project, properly=kills == 1)
        else:
            assert before <= finished_chunks(project)
            assert_same_tables(project, reference)
            shutil.rmtree(project / "results")
    assert not run_until(project, 600)
    assert_same_tables(project, reference)
