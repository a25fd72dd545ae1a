"""Copies of the project in which the workflow is run on the smoke configuration."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from hdbwk.pipeline.loading import load_folder
from hdbwk.pipeline.resolve import resolve

ROOT = Path(__file__).parents[2]
PARTS = ["Snakefile", "config", "environment.yml", "notebooks", "profiles", "src", "workflow"]
PAPER = resolve(load_folder(ROOT / "config"))
METHODS = {name: len(spec.methods) for name, spec in PAPER.experiments.items()}
JOBS = sum(METHODS[name] for name in (*PAPER.shown, *PAPER.names("rates")))
COSTS = sum(METHODS[f"rates_cost_{name}"] for name in ("rounds", "dim", "dim_lasso"))
FIGURES = [*(name for label in PAPER.shown for name in PAPER.experiments[label].figures()), "fig4_rates"]
TIMED = {"timed_claims": 1, "timed_rates": 1}
LEDGERS = ["claims", "rates", "assumptions", "field"]


def copy_project(folder):
    """A copy of what the workflow needs, whose package goes before the installed one."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("*.egg-info"))
        else:
            shutil.copy(source, folder / part)
    return folder


def snakemake(folder, *arguments, configs=("config/smoke.yaml",)):
    """Run snakemake on the smoke configuration of a copy; the copy's folder is on the path of user policies."""
    command = [sys.executable, "-m", "snakemake", "--configfile", *configs, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def planned(folder, *arguments):
    """Rule -> number of jobs that a dry run plans."""
    run = snakemake(folder, "--dry-run", "--quiet", "rules", *arguments)
    assert run.returncode == 0, run.stdout + run.stderr
    text = run.stdout + run.stderr
    return {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", text, re.MULTILINE) if rule != "total"}


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def edit_smoke(folder, change):
    config = yaml.safe_load((folder / "config/smoke.yaml").read_text())
    change(config)
    (folder / "config/smoke.yaml").write_text(yaml.safe_dump(config))
