"""The workflow runs in other folders than its own, as a part of other workflows, and without the package installed."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pandas as pd
import pytest
import yaml
from helpers.workflow_runs import ROOT

from hdbwk.pipeline.loading import load_folder
from hdbwk.pipeline.origins import table_origin
from hdbwk.pipeline.resolve import resolve
from hdbwk.pipeline.tables import write_table

pytestmark = pytest.mark.slow
MODULE = f"""
configfile: "mine.yaml"

module hdbwk:
    snakefile: "{ROOT}/Snakefile"
    config: config

use rule * from hdbwk as hd_*
"""
LABEL = "bandit_lasso_total"
CHUNK = "results/smoke/recovery/online_ht_s10/0000-0003.parquet"


def call(folder, *command):
    """Run a command in a folder, where Python looks for packages in its own environment alone."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def snakemake(folder, *arguments, python=sys.executable):
    """Run in a folder; everything that was printed."""
    run = call(folder, python, "-m", "snakemake", "--cores", "2", *arguments)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


def smoke():
    """The small configuration with a single tuning."""
    config = load_folder(ROOT / "config", ROOT / "config/smoke.yaml")
    return {**config, "tuning": {name: config["tuning"][name] for name in ("defaults", LABEL)}}


def write_trials(path, config):
    """A table of two trials of the tuning, as the workflow writes it."""
    plan = resolve(config)
    spec = plan.experiments[f"tuning_{LABEL}"]
    rows = [
        {"method": method, "trial": trial, "horizon": 100, "t": 100, "regret": 1.0 + trial}
        for method in spec.methods
        for trial in range(2)
    ]
    write_table(pd.DataFrame(rows), path, {**table_origin(spec, "trials", plan.seed), "seconds": 1.0})


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


@pytest.fixture
def python(tmp_path):
    """The interpreter of an environment that has all libraries of this one, but not the package."""
    venv.create(tmp_path / "environment", symlinks=True)
    libraries = packages_of(tmp_path / "environment")
    for part in Path(sysconfig.get_path("purelib")).iterdir():
        if "hdbwk" not in part.name:
            (libraries / part.name).symlink_to(part)
    (tmp_path / "environment/share").symlink_to(Path(sys.prefix) / "share")  # the templates of nbconvert
    return tmp_path / "environment/bin/python"


def packages_of(environment):
    (folder,) = environment.glob("lib/python*/site-packages")
    return folder


def run_elsewhere(folder, python, *arguments):
    """Run the workflow at the small scale in a folder of its own, called from yet another."""
    place = ("-s", str(ROOT / "Snakefile"), "--directory", str(folder / "work"))
    return snakemake(folder, *place, "--configfile", str(ROOT / "config/smoke.yaml"), *arguments, python=python)


def test_it_runs_in_another_folder_where_only_its_dependencies_are_installed(tmp_path, python):
    assert "No module named 'hdbwk'" in call(tmp_path, python, "-c", "import hdbwk").stderr
    plan = run_elsewhere(tmp_path, python, "--dry-run", "--quiet", "rules", "--", "pages", "tuning")
    assert {"simulate", "notebook_results", "tuning"} <= set(plan.split())
    made = [CHUNK, "results/smoke/notebooks/estimator.html", "results/smoke/pages/about.html"]
    run_elsewhere(tmp_path, python, "--", *made)
    assert all((tmp_path / "work" / path).exists() for path in made)
    assert "<img" in (tmp_path / "work" / made[1]).read_text()


def test_its_own_package_goes_before_an_installed_one(tmp_path, python):
    other = packages_of(tmp_path / "environment") / "hdbwk/__init__.py"
    other.parent.mkdir()
    other.write_text("raise RuntimeError('this is another version')")
    run_elsewhere(tmp_path, python, "--", CHUNK)
    assert (tmp_path / "work" / CHUNK).exists()
