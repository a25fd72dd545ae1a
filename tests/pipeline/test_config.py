"""The configuration is checked before anything runs, and each refusal names its key."""

import subprocess
import sys
from pathlib import Path

import pytest

from hdbwk.pipeline.chunks import chunk_names, trials_of
from hdbwk.pipeline.config import ConfigError, check, experiment, experiment_names, job_spec, load, merged, origin

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
PAPER = load(ROOT / "config/config.yaml")


def test_the_paper_and_smoke_configurations_are_valid():
    check(PAPER, SCHEMA)
    check(load(ROOT / "config/config.yaml", ROOT / "config/smoke.yaml"), SCHEMA)


def test_smoke_has_the_jobs_of_the_paper():
    smoke = load(ROOT / "config/config.yaml", ROOT / "config/smoke.yaml")
    assert experiment_names(smoke) == experiment_names(PAPER)
    for name in experiment_names(PAPER):
        assert set(experiment(smoke, name)["methods"]) == set(experiment(PAPER, name)["methods"])


def test_the_check_at_each_start_imports_nothing_slow():
    slow = {"lark", "matplotlib", "scipy.stats", "sklearn"}
    code = f"""
import sys
from hdbwk.pipeline import config
config.check(config.load("config/config.yaml"), "{SCHEMA}")
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
        ({"recovery": {"trials": 1}}, r"recovery\.trials = 1: 1 is less than the minimum of 2"),
        ({"rates": {"dual": {"change": {"trials": 1}}}}, r"rates_dual: dual\.trials = 1: .* minimum of 2"),
        (
            {"sensitivity": {"recovery_bounded": {"change": {"trials": 1}}}},
            r"recovery_bounded: recovery\.trials = 1: .* minimum of 2",
        ),
        ({"recovery": {"trials": 50.0}}, r"recovery\.trials = 50\.0"),
        ({"recovery": {"dim": True}}, r"recovery\.dim = True"),
        ({"recovery": {"correlation": 1.0}}, r"recovery\.correlation = 1\.0"),
        ({"recovery": {"correlation": -1}}, r"recovery\.correlation = -1"),
        ({"recovery": {"horizon": "long"}}, r"recovery\.horizon = 'long'"),
        ({"recovery": {"every": 2000}}, r"recovery\.every = 2000 exceeds recovery\.horizon = 1000"),
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
            rf"{METHOD}: step = 'theory' needs",
        ),
        ({"recovery": {"methods": {"online_ht_s20": {"speed": 2}}}}, rf"{METHOD}\.speed: there is no such key"),
        (
            {"recovery": {"methods": {"online_ht_s20": {"working_sparsity": 3000}}}},
            "working_sparsity = 3000 exceeds",
        ),
        ({"recovery": {"colour": "red"}}, r"recovery\.colour: there is no such key"),
        ({"recoverie": {}}, r"recoverie: there is no such key \(did you mean recovery\?\)"),
        ({"bandit": {"n_arms": 0}}, r"bandit\.n_arms = 0"),
        ({"bandit": {"horizons": []}}, r"bandit\.horizons: \[\]"),
        ({"bandit": {"horizons": [0]}}, r"bandit\.horizons\.0 = 0"),
        (
            {"bandit": {"methods": {"x": {"name": "ucb"}}}},
            r"bandit\.methods\.x\.name: policy 'ucb' is unknown; there are",
        ),
        ({"bandit": {"methods": {"x": {"name": "no.where:X"}}}}, r"bandit\.methods\.x\.name: .* cannot be imported"),
        ({"bandit": {"methods": {"greedy_s10": {"epsilon": -0.1}}}}, r"greedy_s10\.epsilon = -0\.1"),
        ({"bandit": {"methods": {"greedy_s10": {"epsilon": "theory"}}}}, "greedy_s10: 'noise' is a required"),
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
        ({"tuning": {"bandit_lasso_total": {"method": "nobody"}}}, r"tuning\.bandit_lasso_total: nobody is no method"),
        (
            {"tuning": {"bandit_lasso_total": {"key": "speed"}}},
            r"tuning_bandit_lasso_total: .*\.speed: there is no such key",
        ),
        ({"seed": -1}, "seed = -1"),
        ({"cbwk": {"trials_per_job": 0}}, r"cbwk\.trials_per_job = 0"),
        ({"results": "/etc"}, "results = '/etc': must be a folder inside the project"),
        (
            {"sensitivity": {"recovery_bounded": {"change": {"bound": -1}}}},
            r"recovery_bounded: recovery\.bound = -1",
        ),
        ({"sensitivity": {"recovery_bounded": {"base": "bandits"}}}, r"recovery_bounded\.base = 'bandits'"),
        (
            {"sensitivity": {"recovery_bounded": {"methods": ["nobody"]}}},
            r"sensitivity\.recovery_bounded: nobody is no method",
        ),
    ],
)
def test_refusals_name_the_key(change, message):
    with pytest.raises(ConfigError, match=message):
        check(merged(PAPER, change), SCHEMA)


def test_a_missing_key_is_named():
    config = merged(PAPER, {})
    del config["recovery"]["noise"]
    with pytest.raises(ConfigError, match="recovery: 'noise' is a required property"):
        check(config, SCHEMA)


def keys_of(config):
    """All keys of a nested mapping, labels of methods and variants left out."""
    for key, value in config.items():
        yield key
        if key in ("sensitivity", "tuning", "rates"):
            for entry in value.values():
                yield from keys_of(entry)
        elif key == "methods" and isinstance(value, dict):
            for entry in value.values():
                yield from entry
        elif isinstance(value, dict):
            yield from keys_of(value)


def test_every_key_of_the_paper_configuration_is_explained():
    text = (ROOT / "config/README.md").read_text()
    for key in {*keys_of(PAPER), "kappa", "phi_max", "reward_bound"}:
        assert f"`{key}`" in text or f".{key}`" in text, f"config/README.md does not explain {key}"


def test_a_variant_is_its_base_with_the_change():
    spec = experiment(PAPER, "recovery_bounded")
    assert spec["bound"] == 1.0
    assert spec["kind"] == "recovery"
    assert spec["dim"] == PAPER["recovery"]["dim"]
    assert list(spec["methods"]) == PAPER["sensitivity"]["recovery_bounded"]["methods"]


@pytest.mark.parametrize("label", ["tuning_bound", "rates_bound"])
def test_a_variant_may_be_called_as_if_it_belonged_to_another_section(label):
    variant = PAPER["sensitivity"]["recovery_bounded"]
    config = merged(PAPER, {"sensitivity": {label: variant}})
    check(config, SCHEMA)
    assert experiment(config, label) == {**experiment(PAPER, "recovery_bounded"), "name": label}


def test_a_variant_may_not_have_the_name_of_another_experiment():
    variant = PAPER["sensitivity"]["recovery_bounded"]
    with pytest.raises(ConfigError, match=r"sensitivity\.tuning_cbwk_lincbwk: the name is taken"):
        check(merged(PAPER, {"sensitivity": {"tuning_cbwk_lincbwk": variant}}), SCHEMA)


def test_a_chunk_depends_on_what_decides_its_numbers_and_on_nothing_else():
    spec = experiment(PAPER, "recovery")
    same = experiment(merged(PAPER, {"recovery": {"trials": 99, "trials_per_job": 3}}), "recovery")
    other = experiment(merged(PAPER, {"recovery": {"noise": 0.6}}), "recovery")
    assert job_spec(spec, "lasso_c1") == job_spec(same, "lasso_c1")
    assert origin(spec, "lasso_c1", 1) == origin(same, "lasso_c1", 1)
    assert origin(spec, "lasso_c1", 1) != origin(other, "lasso_c1", 1)
    assert origin(spec, "lasso_c1", 1) != origin(spec, "lasso_c1", 2)


@pytest.mark.parametrize(("trials", "size"), [(1, 1), (50, 25), (50, 7), (10, 100), (10_001, 5_000)])
def test_chunks_hold_each_trial_once(trials, size):
    assert [trial for chunk in chunk_names(trials, size) for trial in trials_of(chunk)] == list(range(trials))
