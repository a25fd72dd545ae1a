"""Ledgers say what the trials say."""

import pandas as pd
import pytest

from hdbwk.ledgers import sensitivity


def trials(errors):
    rows = [
        {"method": "a", "trial": trial, "t": t, "error": error}
        for trial, path in enumerate(errors)
        for t, error in enumerate(path, start=1)
    ]
    return pd.DataFrame(rows)


def test_sensitivity_is_paired_over_the_common_trials():
    base = trials([[9.0, 1.0], [9.0, 2.0], [9.0, 50.0]])
    variant = trials([[7.0, 1.5], [7.0, 3.5]])
    table = sensitivity.judge({"v": "recovery"}, {"recovery": base, "v": variant}).set_index("measure")
    assert table.loc["error at T", "difference"] == pytest.approx(1.0)
    assert table.loc["error at T", ["default", "changed"]].tolist() == [1.5, 2.5]
    assert table.loc["error at T", "low"] < 1.0 < table.loc["error at T", "high"]
    assert table.loc["largest error", "difference"] == -2.0
    assert (table["trials"] == 2).all()


def test_people_see_a_row_for_each_comparison():
    base = trials([[1.0], [2.0]])
    shown = sensitivity.shown(sensitivity.judge({"v": "recovery"}, {"recovery": base, "v": base}))
    assert shown.to_numpy()[0].tolist() == ["v", "a", "error at T", "1.5", "1.5", "+0 (+0 to +0)", 2]
    assert len(shown) == 2
