"""The workflow end to end on the smoke configuration: complete, frugal, reproducible, clear when it fails."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from helpers.blocks import blocks, named
from helpers.workflow_runs import (
    COSTS,
    FIGURES,
    JOBS,
    LEDGERS,
    METHODS,
    PAPER,
    copy_project,
    edit,
    edit_smoke,
    planned,
    snakemake,
)


@pytest.fixture
def copy(finished, tmp_path):
    """A copy of the finished run, to be changed; times of files are kept."""
    return Path(shutil.copytree(finished, tmp_path / "copy", symlinks=True))


def test_it_makes_the_figures_and_their_data(finished):
    figures = finished / "results/smoke/figures"
    expected = [f"{name}.{ext}" for name in FIGURES for ext in ("csv", "pdf", "png")]
    expected += [f"{name}.{ext}" for name in LEDGERS for ext in ("csv", "md")]
    assert sorted(path.name for path in figures.iterdir()) == sorted(expected)
    data = pd.read_csv(figures / "fig1_recovery.csv")
    assert set(data.groupby("measure")["method"].nunique()) == {METHODS["recovery"]}
    assert (data["trials"] == 4).all()


def test_every_job_leaves_a_log_and_a_benchmark(finished):
    for folder, suffix in {"logs": "log", "benchmarks": "tsv"}.items():
        files = list((finished / f"results/smoke/{folder}/simulate").rglob(f"*.{suffix}"))
        assert len(files) == JOBS


def test_nothing_is_to_be_done_afterwards(copy):
    assert planned(copy) == {}


def test_an_edit_of_an_estimator_reruns_what_depends_on_it(copy):
    edit(copy / "src/hdbwk/estimators/lasso.py", "self.scale * math.sqrt", "1.0 * self.scale * math.sqrt")
    etc = sum(params.name == "lasso_etc" for params in PAPER.experiments["bandit"].methods.values())
    jobs = {"simulate": METHODS["recovery"] + etc + COSTS, "collect": 4, "all": 1}
    assert planned(copy) == {**jobs, "figure": 2, "claims": 1, "rates": 1, "fig4_rates": 1}


def test_an_edit_of_a_kernel_reruns_what_depends_on_it(copy):
    edit(copy / "src/hdbwk/estimators/online_ht/gram.py", "BLOCK = 32", "BLOCK = 31")
    jobs = planned(copy)
    assert jobs["simulate"] > METHODS["recovery"]
    assert "kernels" not in jobs


def test_an_edit_of_a_policy_reruns_that_policy_only(copy):
    edit(copy / "src/hdbwk/policies/lincbwk.py", "1 + prices.sum()", "1.0 + prices.sum()")
    jobs = {"simulate": 3, "budgets": 1, "collect": 2, "figure": 2, "all": 1}
    assert planned(copy) == {**jobs, "claims": 1, "rates": 1, "fig4_rates": 1}


def test_an_edit_of_a_plot_redraws_only(copy):
    edit(copy / "src/hdbwk/experiments/recovery/figure.py", '"round $t$"', '"$t$"')
    assert planned(copy) == {"figure": 1, "all": 1}


def test_a_change_of_one_method_reruns_that_method_only(copy):
    edit(copy / "config/smoke.yaml", "working_sparsity: 16", "working_sparsity: 15")
    assert planned(copy) == {"simulate": 1, "collect": 1, "figure": 1, "claims": 1, "all": 1}


def test_a_deleted_chunk_alone_is_simulated_again(copy):
    (copy / "results/smoke/bandit/greedy_s20/0000-0003.parquet").unlink()
    jobs = {"simulate": 1, "collect": 1, "figure": 1, "claims": 1, "rates": 1, "fig4_rates": 1, "all": 1}
    assert planned(copy) == jobs


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["recovery", "cbwk"])
def test_tables_do_not_depend_on_cores_or_chunks(finished, tmp_path, kind):
    folder = copy_project(tmp_path)
    edit_smoke(folder, lambda config: config[kind].update(trials_per_job=3))
    target = f"results/smoke/{kind}/trials.parquet"
    run = snakemake(folder, "--cores", "1", "--", target)
    assert run.returncode == 0, run.stdout + run.stderr
    pd.testing.assert_frame_equal(
        pd.read_parquet(folder / target), pd.read_parquet(finished / target), check_exact=True
    )


def test_a_refused_configuration_plans_no_job(tmp_path):
    folder = copy_project(tmp_path)
    edit_smoke(folder, lambda config: config["recovery"].update(trials=0))
    run = snakemake(folder, "--cores", "1")
    assert run.returncode != 0
    assert "recovery.trials = 0" in run.stdout + run.stderr
    assert not (folder / "results").exists()


def test_the_graph_of_the_rules_is_mermaid_and_nothing_else(tmp_path):
    run = snakemake(copy_project(tmp_path), "--rulegraph", "mermaid-js", "--", "pages")
    lines = run.stdout.splitlines()
    assert lines[:4] == ["---", "title: DAG", "---", "flowchart TB"]
    assert all(re.fullmatch(r"\t(id\d+\[\w+\]|style id\d+ .*|id\d+ --> id\d+)", line) for line in lines[4:])
    assert {"simulate", "collect", "figure", "fig4_rates", *LEDGERS, "pages"} <= set(
        re.findall(r"\[(\w+)\]", run.stdout)
    )


def test_a_crash_leaves_its_traceback_in_the_log_and_the_other_chunks(tmp_path):
    folder = copy_project(tmp_path)
    policy = "class Crash:\n    knows_horizon = False\n    def __init__(self, info): ...\n"
    policy += "    def act(self, x): raise RuntimeError('no idea')\n    def update(self, *outcome): ...\n"
    (folder / "my_policy.py").write_text(policy)
    edit_smoke(folder, lambda config: config["bandit"].update(methods={"crash": {"name": "my_policy:Crash"}}))
    chunk = "results/smoke/bandit/{}/0000-0003.parquet"
    run = snakemake(folder, "--cores", "2", "--", chunk.format("crash"), chunk.format("uniform"))
    assert run.returncode != 0
    log = (folder / "results/smoke/logs/simulate/bandit/crash/0000-0003.log").read_text()
    assert "Traceback" in log
    assert "RuntimeError: no idea" in log
    assert "while simulating crash, trial 0" in run.stdout + run.stderr
    assert (folder / chunk.format("uniform")).exists()
    assert not (folder / chunk.format("crash")).exists()


@pytest.mark.slow
def test_sensitivity_and_tuning_have_a_row_for_each_comparison(copy):
    kept = {"sensitivity": ["recovery_coarse_grid", "cbwk_nonnegative"], "tuning": ["bandit_lasso_total"]}
    for file in ("sensitivity", "tuning", "smoke"):
        config = yaml.safe_load((copy / f"config/{file}.yaml").read_text())
        for section in kept.keys() & config.keys():
            names = ["defaults", *kept[section]]
            config[section] = {name: entry for name, entry in config[section].items() if name in names}
        (copy / f"config/{file}.yaml").write_text(yaml.safe_dump(config))
    run = snakemake(copy, "--cores", "2", "--", "sensitivity", "tuning")
    assert run.returncode == 0, run.stdout + run.stderr
    table = pd.read_csv(copy / "results/smoke/figures/sensitivity.csv")
    expected = {(name, m) for name in kept["sensitivity"] for m in PAPER.experiments[name].methods}
    assert set(zip(table["variant"], table["method"], strict=True)) == expected
    table = table.set_index(["variant", "method", "measure"])
    assert table.loc["recovery_coarse_grid", "online_ht_s20", "error at T"]["difference"] == 0
    tuning = pd.read_csv(copy / "results/smoke/figures/tuning.csv")
    assert tuning["value"].tolist() == PAPER.head.tuning.entries["bandit_lasso_total"].values  # noqa: PD011
    assert tuning["best"].sum() >= 1


@pytest.mark.slow
def test_a_policy_of_the_users_own_runs_by_its_dotted_path(copy):
    for name in ("my_policy.py", "mine.yaml"):
        (copy / name).write_text(named(name))
    shutil.copytree(copy / "results/smoke/bandit", copy / "results/mine/bandit")
    ((*_, command),) = blocks("sh", "policy")
    for old, new in {  # the same at the small scale, with what is there already
        "PYTHONPATH=. .venv/bin/snakemake": f"PYTHONPATH=. {sys.executable} -m snakemake",
        "--configfile ": "--rerun-triggers input --configfile config/smoke.yaml ",
    }.items():
        assert old in command
        command = command.replace(old, new)
    run = subprocess.run(["bash", "-c", command], cwd=copy, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    table = pd.read_parquet(copy / "results/mine/bandit/trials.parquet")
    assert (table["method"] == "ridge").sum() == (table["method"] == "uniform").sum()
    edit(copy / "my_policy.py", "ridge=1.0", "ridge=2.0")
    target, configs = "results/mine/figures/fig2_bandit.png", ("config/smoke.yaml", "mine.yaml")
    run = snakemake(copy, "--dry-run", "--quiet", "rules", "--rerun-triggers", "mtime", "--", target, configs=configs)
    assert re.search(r"^simulate +1$", run.stdout + run.stderr, re.MULTILINE)
