"""The verdicts on rates are right on data whose exponents are known, and controls that pass stop the run."""

import numpy as np
import pandas as pd
import pytest

from hdbwk import rng
from hdbwk.ledgers import rates
from hdbwk.ledgers.rate_rows import RATES, Rate
from hdbwk.ledgers.verdicts import counted, trials_needed, upper_bound, would_decide
from hdbwk.metrics.summary import Interval, growth_exponent, mean_interval, quantile_interval

SIZES = np.array([250, 500, 1000, 2000, 4000])
CONFIG = {"ledgers": {"tolerance": 0.1, "offline_tolerance": 0.005, "controls_must_fail": True}}


def drawn(exponent, generator, trials=20, noise=0.5, sizes=SIZES):
    """Trials that grow like size^exponent, each with a level and noise of its own."""
    level = generator.lognormal(0, noise, (trials, 1))
    values = level * generator.lognormal(0, noise, (trials, len(sizes))) * np.asarray(sizes, dtype=float) ** exponent
    return pd.DataFrame(values, columns=sizes)


def verdict_on(values, bound=0.5, **options):
    rate = Rate("family", "theorem", "something", "T", bound, lambda trials: values, **options)
    return rates.judge(CONFIG, {}, [rate]).iloc[0]


def test_a_wrong_exponent_is_called_reproduced_in_at_most_5_percent():
    generator = rng(1, "wrong")
    verdicts = [verdict_on(drawn(0.7, generator))["verdict"] for _ in range(200)]
    assert verdicts.count("reproduced") <= 10


def test_even_at_the_limit_itself_reproduced_is_rare():
    generator = rng(2, "limit")
    verdicts = [verdict_on(drawn(0.6, generator))["verdict"] for _ in range(200)]
    assert verdicts.count("reproduced") <= 20


def test_clear_exponents_are_recognised():
    generator = rng(3, "clear")
    below = [verdict_on(drawn(0.3, generator))["verdict"] for _ in range(100)]
    above = [verdict_on(drawn(0.9, generator))["verdict"] for _ in range(100)]
    assert below.count("reproduced") >= 95
    assert above.count("not reproduced") >= 95


def test_the_interval_of_the_exponent_covers_the_truth():
    generator = rng(4, "cover")
    intervals = [growth_exponent(drawn(0.5, generator, trials=25), rng(5, i)) for i in range(200)]
    assert 0.89 <= np.mean([i.low <= 0.5 <= i.high for i in intervals]) <= 0.99


def test_an_exponent_over_a_single_size_is_inconclusive():
    row = verdict_on(drawn(0.5, rng(6, "single"), sizes=[1000]))
    assert row["verdict"] == "inconclusive"
    assert "local_1" not in row
    assert row["trials_needed"] == np.inf


def test_logarithmic_growth_is_told_from_a_power():
    sizes = np.array([50, 100, 200, 400, 800])
    noise = rng(6, "log").lognormal(0, 0.1, (20, 5))
    rows = {"log": noise * np.log(sizes), "power": noise * sizes**0.5}
    found = {
        name: rates.judge(
            CONFIG, {}, [Rate("f", "t", "s", "log d", 1, lambda _, v=values: pd.DataFrame(v, columns=sizes))]
        ).iloc[0]
        for name, values in rows.items()
    }
    assert found["log"]["estimate"] == pytest.approx(1, abs=0.2)
    assert found["power"]["verdict"] == "not reproduced"


def test_a_control_that_passes_stops_the_run():
    flat = drawn(0.1, rng(7, "flat"), noise=0.1)
    with pytest.raises(rates.ControlError, match="family: something"):
        verdict_on(flat, control=True)
    assert verdict_on(drawn(1.0, rng(8, "linear"), noise=0.1), control=True)["verdict"] == "not reproduced"


def test_means_that_are_not_positive_are_inconclusive():
    row = verdict_on(-drawn(0.1, rng(9, "negative")))
    assert row["verdict"] == "inconclusive"
    assert would_decide(row["trials_needed"], 20) == "larger sizes: the means do not allow a fit"


def test_an_inconclusive_row_says_how_many_trials_would_decide():
    assert upper_bound(Interval(0.5, 0.4, 0.7), 0.6) == "inconclusive"
    measured = Interval(0.5, 0.25, 0.75)
    assert trials_needed(measured, 0.75, 20) == 21
    assert trials_needed(measured, 0.625, 20) == 80
    assert would_decide(80, 20) == "about 80 trials instead of 20, or larger sizes"
    assert would_decide(trials_needed(measured, 0.5001, 20), 20).startswith("larger sizes")
    assert would_decide(np.nan, 20) == ""


def test_values_instead_of_exponents():
    values = pd.DataFrame({100: np.linspace(-0.03, 0.01, 20)})
    assert verdict_on(values, 0, measure=mean_interval, tolerance="offline_tolerance")["verdict"] == "reproduced"
    assert (
        verdict_on(values + 0.1, 0, measure=mean_interval, tolerance="offline_tolerance")["verdict"] == "not reproduced"
    )
    quantile = quantile_interval(pd.DataFrame({1: np.arange(101.0)}), rng(10, "q"))
    assert quantile.estimate == 95
    assert quantile.low <= 95 <= quantile.high


def test_every_family_has_a_control():
    families = {rate.family for rate in RATES}
    assert families == {rate.family for rate in RATES if rate.control}


def test_local_exponents_are_columns():
    table = pd.DataFrame([verdict_on(pd.DataFrame([SIZES**0.5, 2 * SIZES**0.5], columns=SIZES))])
    local = [f"local_{i}" for i in range(1, len(SIZES))]
    assert table[local].to_numpy() == pytest.approx(0.5)
    assert rates.shown(table)["local exponents"].tolist() == ["0.50, 0.50, 0.50, 0.50"]


def test_people_and_points_have_a_row_for_each_rate():
    table = rates.judge(CONFIG, {}, [Rate("f", "Theorem x", "regret", "T", 0.5, lambda _: drawn(0.2, rng(11, "m")))])
    shown = rates.shown(table)
    assert shown[["result", "measured", "against"]].to_numpy().tolist() == [["Theorem x", "regret", "T"]]
    assert shown["would decide"].tolist() == [""]
    points = rates.points(CONFIG, {}, [Rate("f", "x", "r", "T", 0.5, lambda _: drawn(0.2, rng(11, "m")))])
    assert points["size"].tolist() == SIZES.tolist()
    assert (points["low"] < points["mean"]).all()


def test_verdicts_are_counted_the_best_first():
    assert counted(["not reproduced", "reproduced", "partly", "reproduced"]) == (
        "2 reproduced, 1 partly, 1 not reproduced"
    )
