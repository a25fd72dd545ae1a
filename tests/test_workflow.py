"""The workflow end to end on the smoke configuration: complete, frugal, reproducible, clear when it fails."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).parent.parent
PARTS = ["Snakefile", "config", "environment.yml", "profiles", "src", "workflow"]
METHODS = 7
CHUNKS = 2


def copy_project(folder):
    """A copy of what the workflow needs, whose package shadows the installed one."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("*.egg-info"))
        else:
            shutil.copy(source, folder / part)
    return folder


def snakemake(folder, *arguments):
    """Run snakemake on the smoke configuration of a copy."""
    command = [sys.executable, "-m", "snakemake", "--configfile", "config/smoke.yaml", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
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


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy in which the smoke workflow has run on two cores."""
    folder = copy_project(tmp_path_factory.mktemp("finished"))
    run = snakemake(folder, "--cores", "2")
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"14 jobs simulated for \d+ s: \d+% of 2 cores", run.stdout + run.stderr)
    return folder


@pytest.fixture
def copy(finished, tmp_path):
    """A copy of the finished run, to be changed; times of files are kept."""
    return Path(shutil.copytree(finished, tmp_path / "copy", symlinks=True))


def test_it_makes_the_figures_and_their_data(finished):
    figures = finished / "results/smoke/figures"
    assert sorted(path.name for path in figures.iterdir()) == [f"fig1_recovery.{e}" for e in ("csv", "pdf", "png")]
    data = pd.read_csv(figures / "fig1_recovery.csv")
    assert data.groupby("measure")["method"].nunique().to_dict() == {"error": METHODS, "support": METHODS}
    assert (data["trials"] == 4).all()


def test_every_job_leaves_a_log_and_a_benchmark(finished):
    for folder, suffix in {"logs": "log", "benchmarks": "tsv"}.items():
        files = list((finished / f"results/smoke/{folder}/simulate").rglob(f"*.{suffix}"))
        assert len(files) == METHODS * CHUNKS


def test_nothing_is_to_be_done_afterwards(finished):
    assert planned(finished) == {}


def test_an_edit_of_an_estimator_reruns_what_depends_on_it(copy):
    edit(copy / "src/hdbwk/estimators/kernels.py", "squares / curvature", "1.0 * squares / curvature")
    assert planned(copy) == {"simulate": METHODS * CHUNKS, "collect": 1, "fig1_recovery": 1, "all": 1}


def test_an_edit_of_a_plot_redraws_only(copy):
    edit(copy / "src/hdbwk/plotting/recovery.py", '"round $t$"', '"$t$"')
    assert planned(copy) == {"fig1_recovery": 1, "all": 1}


def test_a_change_of_one_method_reruns_that_method_only(copy):
    edit(copy / "config/smoke.yaml", "working_sparsity: 16", "working_sparsity: 15")
    assert planned(copy) == {"simulate": CHUNKS, "collect": 1, "fig1_recovery": 1, "all": 1}


def test_a_deleted_chunk_alone_is_simulated_again(copy):
    (copy / "results/smoke/recovery/lasso_c1/0002-0003.parquet").unlink()
    assert planned(copy) == {"simulate": 1, "collect": 1, "fig1_recovery": 1, "all": 1}


def test_tables_do_not_depend_on_cores_or_chunks(finished, tmp_path):
    folder = copy_project(tmp_path)
    target = "results/smoke/recovery/trials.parquet"
    run = snakemake(folder, "--cores", "1", "--config", "trials_per_job=4", "--", target)
    assert run.returncode == 0, run.stdout + run.stderr
    pd.testing.assert_frame_equal(
        pd.read_parquet(folder / target), pd.read_parquet(finished / target), check_exact=True
    )


def test_a_refused_configuration_plans_no_job(tmp_path):
    folder = copy_project(tmp_path)
    edit(folder / "config/smoke.yaml", "trials: 4\n  every", "trials: 0\n  every")
    run = snakemake(folder, "--cores", "1")
    assert run.returncode != 0
    assert "recovery.trials = 0" in run.stdout + run.stderr
    assert not (folder / "results").exists()


def test_a_crash_leaves_its_traceback_in_the_log_and_the_other_chunks(tmp_path):
    folder = copy_project(tmp_path)
    config = yaml.safe_load((folder / "config/smoke.yaml").read_text())
    config["recovery"]["methods"]["online_ht_s40"]["step"] = 1e9
    (folder / "config/smoke.yaml").write_text(yaml.safe_dump(config))
    chunk = "results/smoke/recovery/{}/0000-0001.parquet"
    run = snakemake(folder, "--cores", "2", "--", chunk.format("online_ht_s40"), chunk.format("online_ht_s20"))
    assert run.returncode != 0
    log = (folder / "results/smoke/logs/simulate/recovery/online_ht_s40/0000-0001.log").read_text()
    assert "Traceback" in log
    assert "FloatingPointError: OnlineHT diverged" in log
    assert "OnlineHT diverged" in run.stdout + run.stderr
    assert (folder / chunk.format("online_ht_s20")).exists()
    assert not (folder / chunk.format("online_ht_s40")).exists()


def test_the_sensitivity_table_has_a_row_for_each_variant_and_method(copy):
    config = yaml.safe_load((copy / "config/config.yaml").read_text())
    kept = {name: config["sensitivity"][name] for name in ("recovery_bounded", "recovery_coarse_grid")}
    (copy / "config/config.yaml").write_text(yaml.safe_dump({**config, "sensitivity": kept}))
    smoke = yaml.safe_load((copy / "config/smoke.yaml").read_text())
    smoke["sensitivity"] = {name: smoke["sensitivity"][name] for name in kept}
    (copy / "config/smoke.yaml").write_text(yaml.safe_dump(smoke))
    run = snakemake(copy, "--cores", "2", "--", "sensitivity")
    assert run.returncode == 0, run.stdout + run.stderr
    table = pd.read_csv(copy / "results/smoke/figures/sensitivity.csv")
    expected = {(name, method) for name, variant in kept.items() for method in variant["methods"]}
    assert set(zip(table["variant"], table["method"], strict=True)) == expected
    unchanged = table[(table["variant"] == "recovery_coarse_grid") & (table["method"] == "online_ht_s20")]
    assert (unchanged["difference"] == 0).all()
