"""Measures and summaries."""

import numpy as np
import pandas as pd
import pytest

from hdbwk import rng
from hdbwk.metrics import bands, paired_difference, squared_error, support_recovery


def test_support_recovery_is_the_share_of_the_true_support():
    truth = np.array([1.0, -1.0, 0.0, 2.0, 0.0])
    assert support_recovery(np.array([0.1, 0.0, 5.0, -1.0, 0.0]), truth) == pytest.approx(2 / 3)
    assert squared_error(np.zeros(5), truth) == 6.0


def test_bands_cover_the_mean_in_about_95_of_100_samples():
    values = rng(1, "bands").standard_normal((400, 50))
    table = pd.DataFrame(
        {
            "method": np.repeat(np.arange(400), 50),
            "trial": np.tile(np.arange(50), 400),
            "value": values.ravel(),
        }
    )
    summary = bands(table, "value", ["method"])
    covered = ((summary["low"] < 0) & (summary["high"] > 0)).mean()
    assert 0.91 < covered < 0.98
    assert (summary["trials"] == 50).all()


def test_paired_difference_uses_the_common_trials_only():
    first = pd.Series([1.0, 2.0, 4.0], index=[0, 1, 2])
    second = pd.Series([1.0, 3.0, 100.0], index=[1, 2, 3])
    estimate, low, high = paired_difference(first, second)
    assert estimate == 1.0
    assert low == high == 1.0
    with pytest.raises(ValueError, match="found 1"):
        paired_difference(first, second[[1]])


def test_paired_difference_is_sharper_than_the_spread_of_the_trials():
    level = rng(2, "level").normal(100, 30, 40)
    first = pd.Series(level + rng(2, "noise").normal(1, 0.1, 40))
    estimate, low, high = paired_difference(first, pd.Series(level))
    assert low < 1 < high
    assert high - low < 0.2
    assert estimate == pytest.approx(1, abs=0.1)
