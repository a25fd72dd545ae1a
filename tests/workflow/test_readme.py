"""The examples of the README run as they stand."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hdbwk.pipeline.chunks import chunk_names
from hdbwk.pipeline.loading import load_folder, merged
from hdbwk.pipeline.resolve import resolve

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)  # those in ```sh cluster are run by `make test-cluster`


@pytest.mark.slow
@pytest.mark.parametrize("code", BLOCKS, ids=range(len(BLOCKS)))
def test_python_blocks_run(code):
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_the_example_of_a_policy_is_short():
    code = next(block for block in BLOCKS if block.startswith("# my_policy.py"))
    assert len(code.splitlines()) <= 30


@pytest.fixture
def project(finished, tmp_path):
    """A finished run at the small scale that takes itself for the paper's, with the environment of these tests."""
    folder = Path(shutil.copytree(finished, tmp_path / "project", symlinks=True))
    small = load_folder(folder / "config", folder / "config/smoke.yaml")
    for section in ("sensitivity", "tuning", "rates"):
        (folder / f"config/{section}.yaml").unlink()
    (folder / "config/config.yaml").write_text(yaml.safe_dump(small))
    for part in ("Makefile", "pyproject.toml", "requirements.lock", "README.md"):
        shutil.copy(ROOT / part, folder)
    shutil.copytree(ROOT / "tests", folder / "tests")
    (folder / ".venv").mkdir()
    for part in Path(sys.prefix).iterdir():
        (folder / ".venv" / part.name).symlink_to(part)
    (folder / ".venv/ready").unlink(missing_ok=True)
    (folder / ".venv/ready").touch()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("block", COMMANDS, ids=range(len(COMMANDS)))
def test_shell_blocks_run(project, block):
    """`make test` in a block runs the quickest file of the tests alone: this is one of them."""
    environment = {**os.environ, "PYTHONPATH": str(project / "src"), "PYTEST_ADDOPTS": "tests/core/test_seeds.py"}
    command = ["bash", "-euo", "pipefail", "-c", block]
    run = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_sweep_on_a_cluster_has_the_jobs_that_its_table_counts():
    sweep = yaml.safe_load(re.search(r"```yaml\n(# sweep.yaml\n.*?)```", TEXT, re.DOTALL)[1])
    experiments = resolve(merged(load_folder(ROOT / "config"), sweep)).experiments
    for kind in ("recovery", "bandit", "cbwk"):
        methods, jobs = re.search(rf"^\| {kind}[^|]*\| (\d+) \|[^|]*\|[^|]*\| (\d+)", TEXT, re.MULTILINE).groups()
        assert int(methods) == len(experiments[kind].methods)
        assert int(jobs) == len(chunk_names(experiments[kind].trials, experiments[kind].trials_per_job)) * int(methods)
