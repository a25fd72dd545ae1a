"""The examples of README and of the site run as they stand, and README keeps its limits."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from helpers.blocks import BLOCKS, blocks, named

from hdbwk.pipeline import config as settings
from hdbwk.pipeline.chunks import chunk_names

ROOT = Path(__file__).parents[2]
MARKS = {
    "cluster": "tests/cluster",
    "install": "here",
    "policy": "tests/workflow/test_workflow.py",
    "wide": "here",
}


def name_of(block):
    return f"{block.page}-{BLOCKS.index(block)}"


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("python"), ids=name_of)
def test_python_blocks_run(block):
    run = subprocess.run([sys.executable, "-c", block.code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_every_block_is_run_by_a_test():
    assert {block.mark for block in BLOCKS if block.language == "sh"} == {None, *MARKS}
    assert {block.language for block in BLOCKS} == {"python", "sh", "yaml"}
    names = {block.code.splitlines()[0] for block in BLOCKS if block.language == "yaml"}
    assert names == {"# mine.yaml", "# sweep.yaml", "# wide.yaml"}


def test_readme_keeps_its_limits():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1200
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in example.splitlines() if line]) <= 10


def test_the_example_of_a_policy_is_short():
    assert len(named("my_policy.py").splitlines()) <= 30


@pytest.fixture
def project(finished, tmp_path):
    """A finished run at the small scale that takes itself for the paper's, with the environment of these tests."""
    folder = Path(shutil.copytree(finished, tmp_path / "project", symlinks=True))
    small = settings.load_folder(folder / "config", folder / "config/smoke.yaml")
    for section in settings.FILES[1:]:
        (folder / "config" / section).unlink()
    (folder / "config/config.yaml").write_text(yaml.safe_dump(small))
    for part in ("Makefile", "pyproject.toml", "setup.py", "requirements.lock", "README.md", "LICENSE"):
        shutil.copy(ROOT / part, folder)
    shutil.copytree(ROOT / "tests", folder / "tests")
    (folder / ".venv").mkdir()
    for part in Path(sys.prefix).iterdir():
        (folder / ".venv" / part.name).symlink_to(part)
    (folder / ".venv/ready").unlink(missing_ok=True)
    (folder / ".venv/ready").touch()
    return folder


def run_in(project, code):
    """`make test` in a block runs the quickest file of the tests alone."""
    environment = {**os.environ, "PYTHONPATH": str(project / "src"), "PYTEST_ADDOPTS": "tests/core/test_seeds.py"}
    command = ["bash", "-euo", "pipefail", "-c", code]
    run = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("sh"), ids=name_of)
def test_shell_blocks_run(project, block):
    run_in(project, block.code)


@pytest.mark.slow
def test_the_package_alone_is_installed_as_the_site_says(project):
    """Its dependencies are those of this environment: an index need not be within reach."""
    (block,) = blocks("sh", "install")
    site = next(path for path in sys.path if path.endswith("site-packages"))
    code = block.code
    for old, new in {
        "python3 -m venv": f"{sys.executable} -m venv",
        "pip install": "pip install --no-deps --no-build-isolation",
        "fresh/bin": f"PYTHONPATH={site} fresh/bin",
    }.items():
        assert old in code
        code = code.replace(old, new)
    assert "bandit:" in run_in(project, code)


@pytest.mark.slow
def test_an_experiment_of_the_users_own_needs_a_configuration_only(project):
    (block,) = blocks("sh", "wide")
    small = named("wide.yaml")
    for old, new in {
        "dim: 400": "dim: 40\n  horizon: 100",
        "trials: 10": "trials: 2",
        "job: 5": "job: 2",
        "[250, 500, 1000]": "[50, 100]",
    }.items():
        assert old in small
        small = small.replace(old, new)
    (project / "wide.yaml").write_text(small)
    run_in(project, block.code)
    assert (project / "results/wide/figures/fig2_bandit.png").exists()


def test_the_sweep_on_a_cluster_has_the_jobs_that_its_table_counts():
    text = (ROOT / "docs/reproduce/cluster.md").read_text(encoding="utf-8")
    sweep = yaml.safe_load(named("sweep.yaml"))
    experiments = settings.resolve(settings.merged(settings.load_folder(ROOT / "config"), sweep)).experiments
    for kind in ("recovery", "bandit", "cbwk"):
        methods, jobs = re.search(rf"^\| {kind}[^|]*\| (\d+) \|[^|]*\|[^|]*\| (\d+)", text, re.MULTILINE).groups()
        assert int(methods) == len(experiments[kind].methods)
        assert int(jobs) == len(chunk_names(experiments[kind].trials, experiments[kind].trials_per_job)) * int(methods)
