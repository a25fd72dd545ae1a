"""The command line: what it prints, what it draws, and what it says when something is wrong."""

import importlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.specs import plan

import hdbwk
from hdbwk.cli import project
from hdbwk.cli.main import main
from hdbwk.cli.trial import follow

ROOT = Path(__file__).parents[2]
SMOKE = plan("smoke.yaml")
SMALL = ["--config", str(ROOT / "config/smoke.yaml")]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Commands run in a folder of their own; the project is found from the package."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys, *arguments):
    """The one line with which a command is refused."""
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert len(lines) == 1
    return lines[0]


def test_list_shows_all_experiments_and_their_methods(capsys):
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    names = [line.split(":")[0] for line in shown.splitlines() if not line.startswith(" ")]
    assert names == list(plan().experiments)
    assert "cbwk: d = 200, s0 = 10, K = 5, m = 10, T = 1000, trials = 50\n    primal_dual_s10 " in shown


def test_list_of_one_experiment_shows_the_keys_that_can_be_set(capsys):
    assert main(["list", "cbwk", *SMALL]) == 0
    shown = capsys.readouterr().out
    assert "\ncapacity: {low: 0.2, high: 0.8}\n" in shown
    assert "  lincbwk_tuned: {name: lincbwk," in shown


@pytest.mark.parametrize(
    ("kind", "method", "measures"),
    [
        ("recovery", "online_ht_s10", ["error", "support"]),
        ("bandit", "lasso_total_05", ["regret"]),
        ("cbwk", "resolving_s10", ["regret"]),
    ],
)
def test_a_trial_has_the_numbers_of_the_workflow(kind, method, measures, capsys):
    spec = SMOKE.experiments[kind]
    table = spec.run_trials(method, [2], SMOKE.seed)
    if "horizon" in table:
        table = table[table["horizon"] == spec.horizon]
    followed = follow(project.chosen(spec, [method], []), 2, SMOKE.seed, progress=False)
    for measure in measures:
        np.testing.assert_array_equal(followed[followed["measure"] == measure]["value"], table[measure])


def test_run_draws_a_picture_and_says_what_it_found(folder, capsys):
    assert main(["run", "cbwk", *SMALL, "--method", "lincbwk", "--method", "primal_dual_s10", "--trial", "3"]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["lincbwk", "primal_dual_s10", "picture"]
    assert "regret" in lines[0]
    assert "of the scarcest capacity" in lines[0]
    assert (folder / lines[2].removeprefix("picture: ")).read_bytes().startswith(b"\x89PNG")
    assert lines[2] == "picture: cbwk_trial3.png"
    assert "LinCBwK: 100%" in shown.err


def test_set_and_seed_change_the_trial(capsys):
    base = ["run", "recovery", *SMALL, "--method", "online_ht_s20", "--plot", "one.pdf"]
    outputs = []
    for more in ([], ["--set", "dim=80"], ["--set", "methods.online_ht_s20.step=1e-2"], ["--seed", "1"], []):
        assert main([*base, *more]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[-1]
    assert len(set(outputs)) == 4


def test_variants_can_be_run(capsys):
    assert main(["run", "bandit_bounded", *SMALL, "--set", "horizon=50"]) == 0
    assert capsys.readouterr().out.startswith("greedy_s10: regret ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "recover"], "recover is not an experiment (did you mean recovery?); `hdbwk list` shows all"),
        (["run", "recovery", "--method", "ridge"], "ridge is not a method of recovery; there are online_ht_s5, "),
        (["run", "recovery", "--set", "dimm=4"], "dimm is not a key of a trial of recovery (did you mean dim?)"),
        (
            ["run", "bandit", "--set", "horizons=[4]"],
            "horizons is not a key of a trial of bandit (did you mean horizon?)",
        ),
        (["run", "recovery", "--set", "kind=cbwk"], "kind is not a key of a trial of recovery"),
        (["run", "recovery", "--set", "dim"], "--set dim: give KEY=VALUE"),
        (["run", "recovery", "--set", "dim=[1"], "dim = [1: not a YAML value"),
        (["run", "recovery", "--set", "dim=many"], "recovery.dim = 'many': "),
        (["run", "recovery", "--set", "sparsity=1001"], "recovery.sparsity = 1001 exceeds recovery.dim = 1000"),
        (["run", "recovery", "--set", "dim.low=3"], "recovery.dim: "),
        (["run", "recovery_bounded", "--set", "noise=-1"], "recovery_bounded.noise = -1: "),
        (["run", "bandit", "--set", "methods.greedy_s10.epsilon=2"], "bandit.methods.greedy_s10.epsilon = 2: "),
        (["run", "bandit", "--set", "methods.greedy_s10.speed=2"], "bandit.methods.greedy_s10.speed: "),
        (
            ["run", "bandit", "--set", "methods.oracle.speed=2"],
            "methods.oracle.speed: the methods that run are greedy_s10",
        ),
        (["run", "recovery", "--config", "absent.yaml"], "[Errno 2] No such file or directory: 'absent.yaml'"),
        (["run", "recovery", "--plot", "trial.txt"], "--plot trial.txt: the name must end in .png, .pdf or .svg"),
        (["run", "recovery", "--plot", "no/trial.png"], "--plot no/trial.png: there is no folder no"),
        (["diagnose", "absent.csv"], "there is no file absent.csv"),
        (["diagnose", "contexts.xls"], "contexts.xls must end in .csv or .parquet"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_that_names_it(arguments, message, capsys, folder):
    assert refused(capsys, *arguments).startswith(f"hdbwk: {message}")
    assert list(folder.iterdir()) == []


def test_list_of_a_policy_shows_its_parameters(capsys):
    assert main(["list", "resolving"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("resolving: Greedy Online HT at the prices that are optimal")
    assert "\n  resolve_every = 1: rounds between two solutions of the dual" in shown


def test_an_experiment_of_the_rates_can_be_run(capsys):
    assert main(["run", "rates_estimation", *SMALL, "--method", "half"]) == 0
    assert capsys.readouterr().out.startswith("half: high_error ")


def test_a_broken_configuration_is_refused_with_its_keys(capsys, folder):
    for text, message in {
        "recovery: {trials: 0}": "recovery.trials = 0: ",
        "- 1": "mine.yaml is not a mapping",
        "a: [": "mine.yaml is not YAML: ",
    }.items():
        (folder / "mine.yaml").write_text(text)
        assert message in refused(capsys, "list", "--config", "mine.yaml")


def test_a_step_that_diverges_is_refused(capsys):
    assert main(["run", "recovery", *SMALL, "--set", "methods.online_ht_s5.step=100", "--set", "read_every=120"]) == 2
    assert "online_ht_s5.step = 100.0 diverges" in capsys.readouterr().err.splitlines()[-1]


def test_outside_a_project_the_way_in_is_named(capsys, monkeypatch):
    monkeypatch.setattr(project, "CONFIG", Path("config/elsewhere.yaml"))
    assert "there is no config/elsewhere.yaml in " in refused(capsys, "list")


def test_a_project_in_a_folder_above_is_found(folder, monkeypatch, capsys):
    (folder / project.CONFIG).parent.mkdir()
    (folder / project.CONFIG).write_text((ROOT / project.CONFIG).read_text().replace("trials: 50", "trials: 49"))
    (folder / "deep/er").mkdir(parents=True)
    monkeypatch.chdir(folder / "deep/er")
    assert main(["list"]) == 0
    assert "trials = 49" in capsys.readouterr().out


def test_only_whole_numbers_count_trials(capsys):
    with pytest.raises(SystemExit) as refusal:
        main(["run", "recovery", "--trial", "-1"])
    assert refusal.value.code == 2
    assert "'-1' is not a whole number" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["run"], ["diagnose"]])
def test_help_teaches_by_examples(command, capsys):
    with pytest.raises(SystemExit) as end:
        main([*command, "--help"])
    assert end.value.code == 0
    assert "examples:\n  hdbwk " in capsys.readouterr().out


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_diagnose_reads_the_numbers_of_a_file(suffix, folder, capsys):
    pytest.importorskip("hdbwk.diagnostics")
    contexts = pd.DataFrame(hdbwk.rng(1, "contexts").standard_normal((200, 4)), columns=list("abcd"))
    table = contexts.assign(name="someone")
    file = folder / f"contexts.{suffix}"
    table.to_csv(file, index=False) if suffix == "csv" else table.to_parquet(file)
    assert main(["diagnose", str(file), "--sparsity", "1"]) == 0
    shown = capsys.readouterr()
    assert "200 contexts in dimension 4" in shown.out
    assert shown.err == "left out, no numbers: name\n"


def test_columns_of_truths_dates_and_words_are_left_out(folder, capsys):
    contexts = pd.DataFrame(hdbwk.rng(1, "contexts").standard_normal((200, 4)), columns=list("abcd"))
    others = {"truth": True, "date": pd.Timestamp("2020-01-01"), "list": [[1]] * 200, "digits": "1"}
    contexts.assign(**others).to_parquet(folder / "contexts.parquet")
    assert main(["diagnose", "contexts.parquet", "--sparsity", "1"]) == 0
    assert capsys.readouterr().err == "left out, no numbers: truth, date, list, digits\n"


@pytest.mark.parametrize("header", [False, True, list("abcd")])
def test_the_first_line_of_a_csv_file_may_be_a_context(header, folder, capsys):
    contexts = pd.DataFrame(hdbwk.rng(1, "contexts").standard_normal((200, 4)))
    contexts.to_csv(folder / "contexts.csv", index=False, header=header)
    assert main(["diagnose", "contexts.csv", "--sparsity", "1"]) == 0
    assert "200 contexts in dimension 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "contexts.csv cannot be read: "),
        ("a,b\n", "contexts.csv has no rows with numbers"),
        ("a,b\nx,y\n", "contexts.csv has no rows with numbers"),
        ("a,b\n1,\n2,3\n", "contexts.csv has missing values in b"),
        ("a,b\n1,2\n3,x\n5,6\n", "contexts.csv: 'x' in row 2 of column b is no number"),
    ],
)
def test_contexts_that_cannot_be_used_are_refused(text, message, folder, capsys):
    (folder / "contexts.csv").write_text(text)
    assert message in refused(capsys, "diagnose", "contexts.csv")


def test_a_file_that_is_no_parquet_is_refused(folder, capsys):
    (folder / "contexts.parquet").write_text("a,b")
    assert "contexts.parquet cannot be read" in refused(capsys, "diagnose", "contexts.parquet")


def test_the_module_runs_and_a_reader_may_leave_early(folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = f"{sys.executable} -m hdbwk list | head -n 1; exit ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("recovery: d = 1000")


def test_the_console_script_is_declared():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, name = scripts["hdbwk"].partition(":")
    assert getattr(importlib.import_module(module), name) is main
