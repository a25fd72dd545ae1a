"""The configuration is checked before anything runs, and each refusal names its key."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hdbwk.experiments.registry import experiment
from hdbwk.pipeline.chunks import chunk_names, trials_of
from hdbwk.pipeline.loading import load_folder, merged
from hdbwk.pipeline.origins import origin
from hdbwk.pipeline.resolve import ConfigError, resolve

ROOT = Path(__file__).parents[2]
PAPER = load_folder(ROOT / "config")
PLAN = resolve(PAPER)


def test_smoke_has_the_jobs_of_the_paper():
    smoke = resolve(load_folder(ROOT / "config", ROOT / "config/smoke.yaml")).experiments
    assert list(smoke) == list(PLAN.experiments)
    for name, spec in PLAN.experiments.items():
        assert list(smoke[name].methods) == list(spec.methods)


def test_the_check_at_each_start_imports_nothing_slow():
    slow = {"lark", "matplotlib", "scipy.stats", "sklearn"}
    code = f"""
import sys
from hdbwk.pipeline.loading import load_folder
from hdbwk.pipeline.resolve import resolve
resolve(load_folder("config"))
print(*{slow} & set(sys.modules))
"""
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not found.stdout.split()


METHOD = "recovery.methods.online_ht_s20"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recovery": {"sparsity": 1001}}, r"recovery\.sparsity = 1001 exceeds recovery\.dim = 1000"),
        ({"recovery": {"noise": -0.5}}, r"recovery\.noise = -0\.5"),
        ({"recovery": {"noise": float("nan")}}, r"recovery\.noise = nan"),
        ({"recovery": {"noise": float("inf")}}, r"recovery\.noise = inf"),
        ({"recovery": {"trials": 0}}, r"recovery\.trials = 0"),
        ({"recovery": {"trials": 1}}, r"recovery\.trials = 1: must be at least 2"),
        ({"rates": {"dual": {"change": {"trials": 1}}}}, r"rates\.dual\.trials = 1: must be at least 2"),
        (
            {"sensitivity": {"recovery_bounded": {"change": {"trials": 1}}}},
            r"sensitivity\.recovery_bounded\.trials = 1: must be at least 2",
        ),
        ({"recovery": {"trials": 50.0}}, r"recovery\.trials = 50\.0"),
        ({"recovery": {"dim": True}}, r"recovery\.dim = True"),
        ({"recovery": {"correlation": 1.0}}, r"recovery\.correlation = 1\.0"),
        ({"recovery": {"correlation": -1}}, r"recovery\.correlation = -1"),
        ({"recovery": {"horizon": "long"}}, r"recovery\.horizon = 'long'"),
        ({"recovery": {"read_every": 2000}}, r"recovery\.read_every = 2000 exceeds recovery\.horizon = 1000"),
        ({"recovery": {"signal": {"low": 0.9, "high": 0.6}}}, r"recovery\.signal\.low = 0\.9 exceeds"),
        ({"recovery": {"signal": {"signs": "odd"}}}, r"recovery\.signal\.signs = 'odd'"),
        (
            {"recovery": {"methods": {"ridge": {"name": "ridge"}}}},
            r"recovery\.methods\.ridge\.name = 'ridge'",
        ),
        ({"recovery": {"methods": {"online_ht_s20": {"step": "fast"}}}}, rf"{METHOD}\.step = 'fast'"),
        ({"recovery": {"methods": {"online_ht_s20": {"step": -1}}}}, rf"{METHOD}\.step = -1"),
        (
            {"recovery": {"methods": {"online_ht_s20": {"step": "theory"}}}},
            rf"{METHOD}: step=.theory. needs",
        ),
        ({"recovery": {"methods": {"online_ht_s20": {"speed": 2}}}}, rf"{METHOD}\.speed: there is no such key"),
        (
            {"recovery": {"methods": {"online_ht_s20": {"working_sparsity": 3000}}}},
            "working_sparsity = 3000 exceeds",
        ),
        ({"recovery": {"colour": "red"}}, r"recovery\.colour: there is no such key"),
        ({"recoverie": {}}, r"recoverie: there is no such key \(did you mean recovery\?\)"),
        ({"bandit": {"n_arms": 0}}, r"bandit\.n_arms = 0"),
        ({"bandit": {"horizons": []}}, r"bandit\.horizons: must be a list of at least 1"),
        ({"bandit": {"horizons": [0]}}, r"bandit\.horizons\.0 = 0"),
        (
            {"bandit": {"methods": {"x": {"name": "ucb"}}}},
            r"bandit\.methods\.x\.name: policy 'ucb' is unknown; there are",
        ),
        ({"bandit": {"methods": {"x": {"name": "no.where:X"}}}}, r"bandit\.methods\.x\.name: .* cannot be imported"),
        ({"bandit": {"methods": {"greedy_s10": {"epsilon": -0.1}}}}, r"greedy_s10\.epsilon = -0\.1"),
        ({"bandit": {"methods": {"greedy_s10": {"epsilon": "theory"}}}}, "greedy_s10: epsilon = 'theory' needs noise"),
        ({"bandit": {"methods": {"uniform": {"speed": 1}}}}, r"uniform\.speed: there is no such key"),
        ({"cbwk": {"n_resources": 0}}, r"cbwk\.n_resources = 0"),
        ({"cbwk": {"capacity": {"low": 0.0}}}, r"cbwk\.capacity\.low = 0\.0"),
        ({"cbwk": {"capacity": {"low": 0.9}}}, r"cbwk\.capacity\.low = 0\.9 exceeds cbwk\.capacity\.high = 0\.8"),
        ({"cbwk": {"methods": {"resolving_s10": {"Z": "guess"}}}}, r"resolving_s10\.Z = 'guess'"),
        ({"cbwk": {"methods": {"resolving_s10": {"explore": 0}}}}, r"resolving_s10\.explore = 0"),
        ({"cbwk": {"methods": {"resolving_s10": {"tol": "rough"}}}}, r"resolving_s10\.tol = 'rough'"),
        ({"cbwk": {"methods": {"resolving_s10": {"exit_rule": "stop"}}}}, r"resolving_s10\.exit_rule = 'stop'"),
        ({"cbwk": {"methods": {"lincbwk": {"Z": "estimated"}}}}, "lincbwk: Z = 'estimated' needs explore"),
        ({"cbwk": {"methods": {"lincbwk": {"confidence": 1.0}}}}, r"lincbwk\.confidence = 1\.0"),
        ({"cbwk": {"methods": {"lincbwk": {"sparsity": 3}}}}, r"lincbwk\.sparsity: there is no such key"),
        (
            {"tuning": {"bandit_lasso_total": {"method": "nobody"}}},
            r"tuning\.bandit_lasso_total: nobody is not a method",
        ),
        (
            {"tuning": {"bandit_lasso_total": {"key": "speed"}}},
            r"tuning\.bandit_lasso_total.*\.speed: there is no such key",
        ),
        ({"seed": -1}, "seed = -1"),
        ({"sensitivity": {"defaults": {"bandits": {}}}}, r"sensitivity\.defaults\.bandits: there is no such kind"),
        (
            {"sensitivity": {"cbwk_skip": {"each": {"speed": 1}}}},
            r"sensitivity\.cbwk_skip\.methods\..*\.speed: there is",
        ),
        ({"more": {"kind": "bandits"}}, r"more\.kind = 'bandits': must be "),
        ({"more": {"kind": []}}, r"more\.kind = \[\]: must be "),
        ({"logs": {"kind": "bandit"}}, "logs: an experiment cannot be called so"),
        ({"no/label": {"kind": "bandit"}}, "no/label: an experiment cannot be called so"),
        ({"recovery": {"every": 5}}, r"recovery\.every: this key is called read_every now"),
        ({"cbwk": {"setting": "paper"}}, r"cbwk\.setting: this key is called seed_label now"),
        (
            {"bandit": {"methods": {"greedy_s10": {"working_sparsity": 5}}}},
            r"greedy_s10\.working_sparsity: this key is called estimator\.working_sparsity now",
        ),
        (
            {"bandit": {"methods": {"lasso_total_05": {"explore": 0.5}}}},
            r"explore: this key is called exploration_scale",
        ),
        ({"cbwk": {"methods": {"resolving_s10": {"every": 5}}}}, r"every: this key is called resolve_every now"),
        (
            {"cbwk": {"methods": {"x": {"name": "online_ht_bandit"}}}},
            r"x\.name = 'online_ht_bandit' is not a policy for",
        ),
        ({"bandit": {"methods": {"x": {"name": "lincbwk"}}}}, r"x\.name = 'lincbwk' is not a policy for bandit"),
        ({"cbwk": {"trials_per_job": 0}}, r"cbwk\.trials_per_job = 0"),
        ({"results": "/etc"}, "results = '/etc': must be a folder inside the project"),
        (
            {"sensitivity": {"recovery_bounded": {"change": {"bound": -1}}}},
            r"sensitivity\.recovery_bounded\.bound = -1",
        ),
        ({"sensitivity": {"recovery_bounded": {"base": "bandits"}}}, r"recovery_bounded\.base = 'bandits'"),
        (
            {"sensitivity": {"recovery_bounded": {"methods": ["nobody"]}}},
            r"sensitivity\.recovery_bounded: nobody is not a method",
        ),
    ],
)
def test_refusals_name_the_key(change, message):
    with pytest.raises(ConfigError, match=message):
        resolve(merged(PAPER, change))


def test_a_missing_key_is_named():
    config = merged(PAPER, {})
    del config["recovery"]["noise"]
    with pytest.raises(ConfigError, match="recovery: the key noise is missing"):
        resolve(config)


def test_a_variant_is_its_base_with_the_change():
    spec, base = PLAN.experiments["recovery_bounded"], PLAN.experiments["recovery"]
    assert (spec.bound, spec.trials) == (1.0, 20)
    assert type(spec) is type(base)
    assert spec.dim == base.dim
    assert list(spec.methods) == PAPER["sensitivity"]["recovery_bounded"]["methods"]


def test_a_change_of_each_method_is_made_in_all_that_are_listed():
    methods = PLAN.experiments["cbwk_working_twice"].methods
    assert {method: params.estimator.working_sparsity for method, params in methods.items()} == {
        "primal_dual_s10": 20,
        "resolving_s10": 20,
    }


@pytest.mark.parametrize("label", ["tuning_bound", "rates_bound"])
def test_a_variant_may_be_called_as_if_it_belonged_to_another_section(label):
    variant = PAPER["sensitivity"]["recovery_bounded"]
    found = resolve(merged(PAPER, {"sensitivity": {label: variant}})).experiments[label]
    assert found.dump() == {**PLAN.experiments["recovery_bounded"].dump(), "name": label}


def test_a_variant_may_not_have_the_name_of_another_experiment():
    variant = PAPER["sensitivity"]["recovery_bounded"]
    with pytest.raises(ConfigError, match=r"sensitivity\.tuning_cbwk_lincbwk: the name is taken"):
        resolve(merged(PAPER, {"sensitivity": {"tuning_cbwk_lincbwk": variant}}))


def test_a_section_may_hold_another_experiment_of_a_known_kind():
    more = {**PAPER["bandit"], "kind": "bandit", "seed_label": "more"}
    plan = resolve(merged(PAPER, {"more": more}))
    assert plan.shown == ["recovery", "bandit", "cbwk", "nonnegative", "field_bandit", "field_knapsack", "more"]
    assert list(plan.experiments["more"].figures()) == ["fig2_bandit_more"]


def test_a_chunk_depends_on_what_decides_its_numbers_and_on_nothing_else():
    spec = PLAN.experiments["recovery"]
    same = resolve(merged(PAPER, {"recovery": {"trials": 99, "trials_per_job": 3}})).experiments["recovery"]
    other = resolve(merged(PAPER, {"recovery": {"noise": 0.6}})).experiments["recovery"]
    assert spec.job("lasso_c1") == same.job("lasso_c1")
    assert origin(spec, "lasso_c1", 1) == origin(same, "lasso_c1", 1)
    assert origin(spec, "lasso_c1", 1) != origin(other, "lasso_c1", 1)
    assert origin(spec, "lasso_c1", 1) != origin(spec, "lasso_c1", 2)


@pytest.mark.parametrize("name", PLAN.experiments)
def test_a_job_knows_its_experiment(name):
    spec = PLAN.experiments[name]
    for method in spec.methods:
        job = experiment(json.loads(json.dumps(spec.job(method))))
        assert type(job) is type(spec)
        assert job.job(method) == spec.job(method)


@pytest.mark.parametrize(("trials", "size"), [(1, 1), (50, 25), (50, 7), (10, 100), (10_001, 5_000)])
def test_chunks_hold_each_trial_once(trials, size):
    assert [trial for chunk in chunk_names(trials, size) for trial in trials_of(chunk)] == list(range(trials))
