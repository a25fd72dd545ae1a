"""The site's way to run on a cluster, against a real SLURM on this machine; `make test-cluster` runs this file."""

import os
import re
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest
from cluster.slurm import SlurmUnavailableError, check_machine, job_states, private_slurm, slurm, wait_for
from helpers.blocks import blocks
from helpers.workflow_runs import ROOT, copy_project, edit, edit_smoke, snakemake

from hdbwk.pipeline.tables import read_table

pytestmark = pytest.mark.cluster
SUBMIT, WATCH, RESUME = (block.code for block in blocks("sh", "cluster"))
FAULTS = {"fails_once": "FailsOnce", "waits_once": "WaitsOnce"}
CHUNK = "results/smoke/bandit/{}/0000-0003.parquet"


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A copy in which the smoke workflow ran without SLURM, with two more policies: those that can go wrong."""
    folder = copy_project(tmp_path_factory.mktemp("local"))
    shutil.copy(Path(__file__).with_name("faults.py"), folder)
    methods = {label: {"name": f"faults:{name}", "jobs": f"{label}.txt"} for label, name in FAULTS.items()}
    edit_smoke(folder, lambda config: config["bandit"].update(methods=methods))
    run = snakemake(folder, "--cores", "all")
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.fixture(scope="module")
def cluster():
    """A SLURM of our own; where there can be none, all ends here with the reason."""
    try:
        with private_slurm(cpus=8):  # more than most machines have: two groups, or a group and single jobs, at once
            yield
    except SlurmUnavailableError as error:
        pytest.exit(str(error), returncode=1)


@pytest.fixture(scope="module")
def disturbed(cluster, local, tmp_path_factory):
    """A copy in which two chunks went through SLURM; the first job of one failed, that of the other was cancelled."""
    ignored = shutil.ignore_patterns("results", ".snakemake")
    folder = Path(shutil.copytree(local, tmp_path_factory.mktemp("cluster") / "copy", ignore=ignored))
    (folder / ".venv").symlink_to(ROOT / ".venv")
    # On a shared cluster it would be rude to ask so often; this one is ours.
    edit(folder / "profiles/slurm/config.yaml", "before-status-checks: 20", "before-status-checks: 3")
    with shell(folder, f"{SUBMIT.strip()} -- {' '.join(map(CHUNK.format, FAULTS))}") as run:
        wait_for(lambda: jobs_of(folder, "waits_once") or run.poll() is not None, 900, "the job that waits")
        with shell(folder, WATCH) as watch:
            finish(folder, watch)
        slurm("scancel", *jobs_of(folder, "waits_once"))
        finish(folder, run)
    return folder


@pytest.fixture(scope="module")
def finished(disturbed):
    """The same copy after the rest of the workflow went through SLURM, chunks of seconds several to a job."""
    profile = disturbed / "profiles/slurm/config.yaml"
    for line in ("  # simulate: chunks", "# group-components:", "#   chunks: 9"):
        edit(profile, f"{line}\n", f"{line.replace('# ', '', 1)}\n")
    with shell(disturbed, SUBMIT) as run:
        finish(disturbed, run)
    return disturbed


@contextmanager
def shell(folder, block):
    """A running shell block of the site; what it prints goes to cluster.log, and nothing of it is left behind."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with (folder / "cluster.log").open("a") as log:
        command = ["sh", "-e", "-c", block]
        run = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        yield run
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()


def finish(folder, run):
    """Wait for a shell block, which must succeed."""
    assert run.wait(timeout=3600) == 0, (folder / "cluster.log").read_text()


def jobs_of(folder, label):
    """The numbers of the SLURM jobs that ran a policy which can go wrong, in order."""
    path = folder / f"{label}.txt"
    return path.read_text().split() if path.exists() else []


def tables(folder):
    """All tables of a run, with their origins; no clock is compared."""
    found = {}
    for path in sorted((folder / "results").rglob("*.parquet")):
        table, origin = read_table(path, {})
        origin.pop("seconds", None)
        table = table.drop(columns="seconds_per_round", errors="ignore")
        found[path.relative_to(folder).as_posix()] = (table, origin)
    return found


def assert_same_tables(folder, other):
    found, expected = tables(folder), tables(other)
    assert found.keys() == expected.keys()
    for path, (table, origin) in expected.items():
        assert found[path][1] == origin, path
        pd.testing.assert_frame_equal(found[path][0], table, check_exact=True, obj=path)


def test_no_second_slurm_is_started(cluster):
    with pytest.raises(SlurmUnavailableError, match="another slurmctld answers"):
        check_machine()


def test_a_failed_and_a_cancelled_job_are_submitted_again(disturbed):
    states = job_states()
    for label, fault in {"fails_once": "FAILED", "waits_once": "CANCELLED"}.items():
        assert [states[job] for job in jobs_of(disturbed, label)] == [fault, "COMPLETED"]


def test_the_queue_names_the_rule_and_the_chunk_of_a_job(disturbed):
    log = (disturbed / "cluster.log").read_text()
    assert re.search(r"RUNNING .*rule_simulate_wildcards_bandit_waits_once_0000-0003", log)


def test_the_reason_of_a_failure_is_shown_and_its_log_kept(disturbed):
    assert "RuntimeError: the first job fails on purpose" in (disturbed / "cluster.log").read_text()
    assert list((disturbed / "results/slurm-logs").rglob(f"{jobs_of(disturbed, 'fails_once')[0]}.log"))


def test_tables_and_figures_are_those_of_a_local_run(finished, local):
    assert_same_tables(finished, local)
    for data in (local / "results/smoke/figures").glob("fig[123]*.csv"):  # the others show how long things took
        assert (finished / data.relative_to(local)).read_bytes() == data.read_bytes()


def test_short_jobs_share_a_submission(finished):
    log = (finished / "cluster.log").read_text()
    done = int(re.findall(r"^(\d+) of \1 steps", log, re.MULTILINE)[-1])
    assert len(job_states()) < done / 2


def test_a_killed_run_is_resumed(finished, local):
    """SLURM goes on with the jobs of a killed Snakemake; the site's commands cancel them and finish the work."""
    (finished / CHUNK.format("waits_once")).unlink()
    (finished / "waits_once.txt").unlink()
    before = job_states()
    with shell(finished, SUBMIT) as run:
        wait_for(lambda: jobs_of(finished, "waits_once") or run.poll() is not None, 900, "the job that waits")
        os.killpg(run.pid, signal.SIGKILL)
    (left,) = jobs_of(finished, "waits_once")
    assert job_states()[left] == "RUNNING"
    with shell(finished, RESUME) as run:
        finish(finished, run)
    after = {job: state for job, state in job_states().items() if job not in before}
    assert after.pop(left) == "CANCELLED"
    assert list(after.values()) == ["COMPLETED"] * 2  # the chunk, and the table with its figures
    assert_same_tables(finished, local)
    print(f"jobs of SLURM: {pd.Series(job_states()).value_counts().to_dict()}")
