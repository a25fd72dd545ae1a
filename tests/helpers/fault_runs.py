"""A project of a few small jobs in a folder of its own, to be run and disturbed, and small disks."""

import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from hdbwk.pipeline.loading import load_folder

ROOT = Path(__file__).parents[2]
PARTS = ("Snakefile", "environment.yml", "profiles", "src", "workflow")
KEPT = {"recovery": ("online_ht_s20", "lasso_c1"), "bandit": ("greedy_s10", "uniform")}
TABLES = [f"results/{kind}/trials.parquet" for kind in KEPT]
TARGETS = [*TABLES, "results/figures/fig1_recovery.png", "results/figures/fig2_bandit.png"]
CHUNK = "results/recovery/lasso_c1/0000-0001.parquet"
KILLED_WRITE = """
import os, signal, sys
from hdbwk.core.files import atomic

with atomic(sys.argv[1]) as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def small_project(folder, **change):
    """Links to the workflow, with a configuration of two methods for each of two experiments."""
    folder.mkdir(exist_ok=True)
    for part in PARTS:
        (folder / part).symlink_to(ROOT / part)
    config = load_folder(ROOT / "config", ROOT / "config/smoke.yaml")
    config |= {"results": "results", "figures": "results/figures", **change}
    config |= {"sensitivity": {}, "tuning": {}}
    for kind, methods in KEPT.items():
        config[kind]["trials_per_job"] = 2
        config[kind]["methods"] = {method: config[kind]["methods"][method] for method in methods}
    (folder / "config").mkdir()
    (folder / "config/config.yaml").write_text(yaml.safe_dump(config))
    return folder


def command(*arguments):
    return [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]


def start(folder, *arguments, log):
    """Start a run as the leader of a process group, so that it can be killed with its jobs."""
    with Path(log).open("a") as out:
        return subprocess.Popen(command(*arguments), cwd=folder, stdout=out, stderr=out, start_new_session=True)


def snakemake(folder, *arguments):
    """Run to the end; the exit code and everything that was printed."""
    run = subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


@contextmanager
def mounted(folder, options):
    """A file system in memory, where the user may mount one."""
    folder.mkdir(exist_ok=True)
    if (
        not shutil.which("mount")
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("needs the right to mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def killed_write(path):
    """Let a process be killed in the midst of an atomic write."""
    subprocess.run([sys.executable, "-c", KILLED_WRITE, str(path)], check=False)


def leftovers(folder):
    """Temporary files that nobody removed."""
    return [path for path in folder.rglob(".*") if path.is_file() and ".snakemake" not in path.parts]
