"""Fixtures that several files use."""

import fcntl
import re
import shutil

import pytest
from helpers.workflow_runs import JOBS, LEDGERS, copy_project, snakemake
from hypothesis import settings

from hdbwk import rng
from hdbwk.dual import fluid_value
from hdbwk.environments import CBwKInstance
from hdbwk.pipeline.warm import warm_up

settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.load_profile("reproducible")


def pytest_configure(config):
    """Compile the kernels before the workers of pytest-xdist start, all of which would do it otherwise."""
    if config.getoption("numprocesses", None):
        warm_up()


@pytest.fixture(scope="session")
def paper():
    """The instance of Section 8.3 with its fluid solution."""
    instance = CBwKInstance.draw(rng(1, "paper"), 200, 10, 5, 10)
    return instance, fluid_value(instance, rng(1, "fluid"), n=50_000)


@pytest.fixture(scope="session")
def shared(tmp_path_factory, worker_id):
    """Folders that are made once, by whichever worker of pytest-xdist needs them first; nobody may change them."""
    own = tmp_path_factory.getbasetemp()
    root = own if worker_id == "master" else own.parent

    def folder_of(name, make):
        folder, done = root / name, root / f"{name}.done"
        with (root / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                make(folder)
                done.touch()
        return folder

    return folder_of


@pytest.fixture(scope="session")
def finished(shared):
    """A copy in which the smoke workflow has run on two cores."""
    return shared("finished", run_smoke)


def run_smoke(folder):
    folder.mkdir()
    run = snakemake(copy_project(folder), "--cores", "2")
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(rf"simulate: \d+ s in {JOBS} jobs, \d+%", run.stdout + run.stderr)
    assert re.search(rf"{JOBS} jobs simulated for \d+ s: \d+% of 2 cores", run.stdout + run.stderr)
    assert re.search(rf"jobs done: \d+ of \d+, simulations done: \d+ of {4 * JOBS}\b", run.stderr)
    assert f"simulations done: {4 * JOBS} of {4 * JOBS}" in run.stderr
    for ledger in LEDGERS:
        assert re.search(rf"^{ledger}: \d+ \w+", run.stdout + run.stderr, re.MULTILINE)


@pytest.fixture(scope="session")
def paged(shared, finished):
    """A copy of the finished run, with the pages of the report."""

    def make(folder):
        shutil.copytree(finished, folder, symlinks=True)
        run = snakemake(folder, "--cores", "2", "--", "pages")
        assert run.returncode == 0, run.stdout + run.stderr

    return shared("paged", make)
