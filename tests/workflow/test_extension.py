"""A policy is added by a file, an experiment by a folder; a configuration names them, and nothing else is edited."""

import pandas as pd
import yaml
from helpers.workflow_runs import copy_project, snakemake

POLICY = '''"""The arm of the round, whatever the context."""

from pydantic import Field

from hdbwk.core.spec import Size
from hdbwk.policies.parts.params import PolicyParams


class Rotating:
    """Each arm in turn."""

    knows_horizon = False

    class Params(PolicyParams):
        """How long an arm is kept."""

        keep: Size = Field(1, description="rounds for which an arm is kept")

        def label(self, method):
            return f"in turn, {self.keep} rounds each"

    def __init__(self, info, **params):
        self.keep, self.K, self.t = self.Params(**params).keep, info.n_arms, -1

    def act(self, x):
        self.t += 1
        return self.t // self.keep % self.K

    def update(self, x, arm, reward, consumption=None):
        pass
'''
SPEC = '''"""How large contexts are."""

from typing import ClassVar, Literal

from hdbwk.core.spec import Spec
from hdbwk.experiments.base import Experiment, Figure


class Norm(Spec):
    name: Literal["largest", "mean"]
    family: ClassVar[str] = "control"


class Contexts(Experiment):
    """The norm of contexts."""

    kind = seeds = "contexts"
    methods: dict[str, Norm]
    pictures: ClassVar = {"fig_contexts": Figure("figure", "Norms of contexts")}
'''
TRIAL = """import numpy as np
import pandas as pd

from hdbwk.environments.contexts import PowerDecay


def run(spec, method, trial, seed, progress=False):
    X = PowerDecay(spec.dim, spec.correlation, spec.bound).draw(spec.horizon, spec.generator(seed, trial, "stream"))
    norms = np.abs(X).max(axis=1) if spec.methods[method].name == "largest" else np.abs(X).mean(axis=1)
    rounds = spec.rounds(spec.horizon)
    return pd.DataFrame({"t": rounds, "norm": [norms[t - 1] for t in rounds]})
"""
FIGURE = """import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt


def curves(trials, spec):
    return trials.groupby(["method", "t"], as_index=False)["norm"].mean()


def draw(data, spec, paths):
    figure, ax = plt.subplots()
    for method in spec.methods:
        rows = data[data["method"] == method]
        ax.plot(rows["t"], rows["norm"], label=method)
    for path in paths:
        figure.savefig(path)
"""
SECTION = {
    "seed_label": "test",
    "dim": 5,
    "sparsity": 1,
    "horizon": 20,
    "read_every": 5,
    "trials": 4,
    "noise": 0.0,
    "correlation": 0.5,
    "bound": None,
    "signal": {"low": 0.5, "high": 1.0, "signs": "random"},
    "methods": {"max": {"name": "largest"}, "mean": {"name": "mean"}},
}


def run(folder, config, *targets):
    """Make files with a configuration over the small one."""
    (folder / "mine.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(folder, "--cores", "2", "--", *targets, configs=("config/smoke.yaml", "mine.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_policy_is_added_by_a_file(tmp_path):
    folder = copy_project(tmp_path)
    (folder / "src/hdbwk/policies/rotating.py").write_text(POLICY)
    methods = {"turns": {"name": "rotating"}, "slow_turns": {"name": "rotating", "keep": 10}}
    chunks = {method: f"results/smoke/bandit/{method}/0000-0003.parquet" for method in methods}
    run(folder, {"bandit": {"methods": methods}}, *chunks.values())
    turns, slow = (pd.read_parquet(folder / chunk)["regret"] for chunk in chunks.values())
    assert len(turns) == len(slow)
    assert (turns != slow).any()


def test_an_experiment_is_added_by_a_folder(tmp_path):
    folder = copy_project(tmp_path)
    room = folder / "src/hdbwk/experiments/contexts"
    room.mkdir()
    for name, code in {"__init__": "", "spec": SPEC, "trial": TRIAL, "figure": FIGURE}.items():
        (room / f"{name}.py").write_text(code)
    figures = [f"results/smoke/figures/fig_contexts.{ext}" for ext in ("png", "pdf", "csv")]
    run(folder, {"contexts": SECTION}, *figures)
    trials = pd.read_parquet(folder / "results/smoke/contexts/trials.parquet")
    assert trials.groupby("method").size().to_dict() == {"max": 16, "mean": 16}
    assert len(pd.read_csv(folder / figures[-1])) == 8
    plan = snakemake(folder, "--dry-run", "--quiet", "rules", configs=("config/smoke.yaml", "mine.yaml"))
    assert plan.returncode == 0, plan.stdout + plan.stderr
