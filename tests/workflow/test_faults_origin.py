"""A table that was made with another seed, configuration or version is refused by whoever reads it."""

import pandas as pd
import pytest
from helpers.fault_runs import small_project, snakemake

from hdbwk.cli.results import Run, shown_run
from hdbwk.pipeline.loading import load_folder, merged
from hdbwk.pipeline.origins import shown_origins, table_origin
from hdbwk.pipeline.resolve import resolve
from hdbwk.pipeline.tables import read_trials, write_table

REPAIR = "delete it and run again, or delete its whole folder if that was copied from another run"
READERS = {  # what is made: the table that is refused
    "figures/fig1_recovery.png": "recovery/trials.parquet",
    "figures/fig3b_budgets.png": "cbwk/budgets.parquet",
    "figures/fig4_rates.png": "bandit/trials.parquet",
    "figures/claims.md": "recovery/trials.parquet",
}


def write_results(folder, origins):
    for name, origin in origins.items():
        write_table(pd.DataFrame({"t": [1]}), folder / name, {**origin, "seconds": 1.0})


def config_of(project):
    return load_folder(project / "config")


def all_origins(config):
    """What the workflow writes into the tables of all experiments."""
    plan = resolve(config)
    specs = plan.experiments.items()
    trials = {f"{name}/trials.parquet": table_origin(spec, "trials", plan.seed) for name, spec in specs}
    return {**trials, **shown_origins(plan)}


def test_results_that_were_copied_from_another_seed_are_drawn_by_nobody(tmp_path):
    project = small_project(tmp_path / "project", seed=2)
    config = config_of(project)
    ours, theirs = all_origins(config), all_origins({**config, "seed": 1})
    write_results(project / "results", {**theirs, "cbwk/trials.parquet": ours["cbwk/trials.parquet"]})
    code, text = snakemake(project, "--", *(f"results/{made}" for made in READERS))
    assert code != 0
    for made, table in READERS.items():
        assert not (project / "results" / made).exists()
        rule = made.split("/")[1].split(".")[0]
        expected = f"results/{table} has seed = 1, this run has 2; {REPAIR}"
        assert f"results/logs/{rule}.log: ValueError: {expected}" in text


CHANGES = {
    "seed": {"seed": 7},
    "config": {"recovery": {"methods": {"lasso_c1": {"scale": 1.5}}}},
    "trials": {"recovery": {"trials": 3}},
}


@pytest.mark.parametrize("key", CHANGES)
def test_a_table_of_another_run_is_refused_by_the_key_that_differs(tmp_path, key):
    config = config_of(small_project(tmp_path / "project"))
    ours, theirs = (all_origins(c)["recovery/trials.parquet"] for c in (config, merged(config, CHANGES[key])))
    write_results(tmp_path, {"recovery/trials.parquet": theirs})
    with pytest.raises(ValueError, match=rf"recovery/trials\.parquet has {key} = .*, this run has .*; {REPAIR}"):
        read_trials([tmp_path / "recovery/trials.parquet"], {"recovery": ours})


def test_a_table_of_another_version_is_refused(tmp_path):
    write_results(tmp_path, {"budgets.parquet": {"seed": 1, "version": "0.0.1"}})
    with pytest.raises(ValueError, match=r"budgets\.parquet has version = '0\.0\.1', this run has '9'"):
        Run(tmp_path, tmp_path, {"budgets.parquet": {"seed": 1, "version": "9"}}).table("budgets.parquet")


def test_a_notebook_shows_the_run_of_the_configuration_that_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("HDBWK_RUN", raising=False)
    (tmp_path / "mine.yaml").write_text("seed: 5\nresults: results/mine\n")
    monkeypatch.setenv("HDBWK_CONFIG", str(tmp_path / "mine.yaml"))
    run = shown_run()
    assert run.results.as_posix().endswith("/results/mine")
    assert {origin["seed"] for origin in run.origins.values()} == {5}
