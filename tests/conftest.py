"""Fixtures that several files use."""

import re
import shutil
from pathlib import Path

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


SHARED = ("finished", "noted")  # fixtures that take a minute: one worker makes each, and runs all tests that need it


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Group the tests that share a costly fixture, for `--dist loadgroup`."""
    for item in items:
        for name in set(SHARED) & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(scope="session")
def paper():
    """The instance of Section 8.3 with its fluid solution."""
    instance = CBwKInstance.draw(rng(1, "paper"), 200, 10, 5, 10)
    return instance, fluid_value(instance, rng(1, "fluid"), n=50_000)


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A copy in which the smoke workflow has run on two cores."""
    folder = copy_project(tmp_path_factory.mktemp("finished"))
    run = snakemake(folder, "--cores", "2")
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(rf"{JOBS} jobs simulated for \d+ s: \d+% of 2 cores", run.stdout + run.stderr)
    assert re.search(rf"jobs done: \d+ of \d+, simulations done: \d+ of {4 * JOBS}\b", run.stderr)
    assert f"simulations done: {4 * JOBS} of {4 * JOBS}" in run.stderr
    for ledger in LEDGERS:
        assert re.search(rf"^{ledger}: \d+ \w+", run.stdout + run.stderr, re.MULTILINE)
    return folder


@pytest.fixture(scope="session")
def paged(finished, tmp_path_factory):
    """A copy of the finished run, with the pages of the report."""
    folder = Path(shutil.copytree(finished, tmp_path_factory.mktemp("paged") / "copy", symlinks=True))
    run = snakemake(folder, "--cores", "2", "--", "pages")
    assert run.returncode == 0, run.stdout + run.stderr
    return folder
