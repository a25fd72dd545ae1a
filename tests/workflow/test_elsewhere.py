"""The workflow runs in other folders than its own, and as a part of other workflows."""

import os
import subprocess
import sys

import pandas as pd
import yaml
from helpers.workflow_runs import ROOT

from hdbwk.pipeline import config as settings
from hdbwk.pipeline.tables import write_table

MODULE = f"""
configfile: "mine.yaml"

module hdbwk:
    snakefile: "{ROOT}/Snakefile"
    config: config

use rule * from hdbwk as hd_*
"""
LABEL = "bandit_lasso_total"


def snakemake(folder, *arguments):
    """Run in a folder; everything that was printed."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


def smoke():
    """The small configuration with a single tuning."""
    config = settings.load_folder(ROOT / "config", ROOT / "config/smoke.yaml")
    return {**config, "tuning": {name: config["tuning"][name] for name in ("defaults", LABEL)}}


def write_trials(path, config):
    """A table of two trials of the tuning, as the workflow writes it."""
    plan = settings.resolve(config)
    spec = plan.experiments[f"tuning_{LABEL}"]
    rows = [
        {"method": method, "trial": trial, "horizon": 100, "t": 100, "regret": 1.0 + trial}
        for method in spec.methods
        for trial in range(2)
    ]
    write_table(pd.DataFrame(rows), path, {**settings.trials_origin(spec, plan.seed), "seconds": 1.0})


def test_all_rules_work_under_other_names_in_another_workflow(tmp_path):
    config = smoke()
    (tmp_path / "Snakefile").write_text(MODULE)
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(config))
    plan = snakemake(tmp_path, "--dry-run", "--quiet", "rules", "--", "hd_pages", "hd_sensitivity")
    assert {"hd_simulate", "hd_claims", "hd_notebook_results", "hd_sensitivity"} <= set(plan.split())
    results = tmp_path / "results/smoke"
    write_trials(results / f"tuning_{LABEL}/trials.parquet", config)
    snakemake(tmp_path, "--", "hd_tuning")
    assert len(pd.read_csv(results / "figures/tuning.csv")) == len(config["tuning"][LABEL]["values"])


def test_notebooks_are_rendered_in_another_folder_than_that_of_the_workflow(tmp_path):
    place = ("-s", str(ROOT / "Snakefile"), "--directory", str(tmp_path))
    plan = snakemake(tmp_path.parent, *place, "--dry-run", "--quiet", "rules", "--", "pages", "tuning")
    assert {"simulate", "notebook_results", "tuning"} <= set(plan.split())
    snakemake(tmp_path.parent, *place, "--", "results/notebooks/estimator.html")
    assert "<img" in (tmp_path / "results/notebooks/estimator.html").read_text()
