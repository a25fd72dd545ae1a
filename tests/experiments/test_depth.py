"""Few frames lead from a job's script to the kernels: whoever steps through a run gets there soon."""

import inspect

import pytest
from helpers.specs import smoke

from hdbwk.estimators.online_ht import bank, regressor

SCRIPT = 1
KERNELS = {"play": ["play", "play_round", "observe", "append"], "play_round": ["play_round", "observe", "append"]}


@pytest.mark.parametrize(
    ("experiment", "method", "module", "kernel"),
    [
        ("recovery", "online_ht_s5", regressor, "play"),
        ("bandit", "greedy_s10", bank, "play_round"),
        ("cbwk", "primal_dual_s10", bank, "play_round"),
        ("cbwk", "resolving_s10", bank, "play_round"),
    ],
)
def test_nine_frames_lead_from_a_script_to_the_gram_matrix(experiment, method, module, kernel, monkeypatch):
    compiled, depths = getattr(module, kernel), set()
    here = len(inspect.stack(0))

    def spy(*args):
        depths.add(len(inspect.stack(0)) - 1 - here)
        return compiled(*args)

    monkeypatch.setattr(module, kernel, spy)
    smoke(experiment, horizon=20, read_every=20).run_trials(method, [0], seed=1)
    assert SCRIPT + max(depths) + len(KERNELS[kernel]) <= 9
