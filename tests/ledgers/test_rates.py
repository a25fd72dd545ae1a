"""The rates ledger says of data whose growth is known what is true of them, and controls that pass stop the run."""

import numpy as np
import pandas as pd
import pytest

from hdbwk import rng
from hdbwk.ledgers import rates
from hdbwk.ledgers.rate_rows import RATES, TIMES
from hdbwk.ledgers.rates_row import Rate, labelled, parts, ratio
from hdbwk.ledgers.statements import NO_ROW, STATEMENTS
from hdbwk.ledgers.trials import NotSimulatedError, Trials
from hdbwk.ledgers.verdicts import counted
from hdbwk.metrics.decomposition import TERMS

SIZES = 250 * 2 ** np.arange(7)
CONFIG = {"ledgers": {"level": 0.05, "controls_must_fail": True}, "x": {"scale": 3.0}}


def drawn(exponent, generator, trials=20, noise=0.03, sizes=SIZES):
    """Trials that grow like size^exponent, each with a level and noise of its own."""
    level = generator.lognormal(0, noise, (trials, 1))
    values = level * generator.lognormal(0, noise, (trials, len(sizes))) * np.asarray(sizes, dtype=float) ** exponent
    return pd.DataFrame(values, columns=sizes)


def row(values, bound=lambda spec, size: size**0.5, **options):
    return Rate("family", "Theorem x", 12, "something", "T", "x", lambda trials: values, bound, **options)


def judged(*rows):
    return rates.judge(CONFIG, {}, rows)


def test_the_words_follow_the_growth():
    words = [judged(row(drawn(e, rng(1, str(e))))).iloc[0]["verdict"] for e in (0.1, 0.5, 0.9)]
    assert words == ["no power", "consistent", "growth exceeds the bound"]


def test_a_row_without_power_says_why_and_others_do_not():
    slow, near = (judged(row(drawn(e, rng(2, str(e))))).iloc[0] for e in (0.1, 0.5))
    assert slow["why"].startswith("grows slower than the bound by 0.4")
    assert near["why"] == ""


def test_a_level_is_judged_at_the_largest_size():
    values = pd.DataFrame({100: np.linspace(5, 6, 20), 1000: np.linspace(0.95, 1.01, 20)})
    below, above = (
        judged(row(values + shift, lambda spec, size: 1.0 + 0 * size, measures="level")).iloc[0] for shift in (0, 0.2)
    )
    assert (below["verdict"], above["verdict"]) == ("consistent", "above the bound")
    assert below["estimate"] == pytest.approx(0.98)


def test_the_bound_takes_the_parameters_of_its_experiment():
    table = judged(row(drawn(0.5, rng(3)), lambda spec, size: spec["scale"] * size**0.5))
    mean = drawn(0.5, rng(3)).iloc[:, -1].mean()
    assert table.iloc[0]["bound_over_measured"] == pytest.approx(3 * SIZES[-1] ** 0.5 / mean)


def test_a_control_that_keeps_its_bound_stops_the_run():
    with pytest.raises(rates.ControlError, match="something"):
        judged(row(drawn(0.1, rng(4)), control=True))
    assert judged(row(drawn(1.0, rng(5)), control=True)).iloc[0]["verdict"] == "growth exceeds the bound"


def test_more_rows_ask_for_more_evidence_and_more_power():
    values = drawn(0.5, rng(6))
    alone = judged(row(values)).iloc[0]["found"]
    among = judged(row(values), *[row(drawn(0.4, rng(7, i))) for i in range(30)]).iloc[0]["found"]
    assert among > alone


def test_rows_that_were_not_simulated_are_named_and_left_out(capsys):
    def missing(trials):
        raise NotSimulatedError("a of b was not simulated")

    gone = Rate("family", "Theorem y", 1, "nothing", "T", "x", missing, lambda spec, size: size)
    assert len(judged(row(drawn(0.5, rng(8))), gone)) == 1
    assert "left out: Theorem y, nothing" in capsys.readouterr().out


def test_local_exponents_are_columns_with_intervals():
    table = judged(row(drawn(0.7, rng(9), noise=0.01)))
    names = [f"local_{i}{end}" for i in range(1, 7) for end in ("", "_low", "_high")]
    assert set(names) <= set(table.columns)
    assert table.iloc[0]["local_6"] == pytest.approx(0.7, abs=0.05)
    assert table.iloc[0]["allowed"] == pytest.approx(0.5)


def test_people_see_statement_line_and_power():
    table = judged(row(drawn(0.5, rng(10))), row(drawn(0.9, rng(11)), control=True))
    people = rates.rows_shown(table)
    assert people["statement"].tolist() == ["Theorem x (l. 12)"] * 2
    assert people["exponents, or value (95%)"].str.contains("; last 0").all()
    assert (people["verdict"] == ["consistent", "growth exceeds the bound"]).all()


def test_people_see_why_a_statement_has_no_row():
    people = rates.shown(judged(row(drawn(0.5, rng(10)))))
    assert people["verdict"].tolist() == ["consistent", *["no row"] * len(NO_ROW)]
    assert people["why"].tolist()[1:] == [why for _, why in NO_ROW.values()]


def test_terms_are_shown_by_their_shares_with_their_exponents():
    terms = {term: [0.0, 0.0] for term in TERMS} | {
        "prices": [10.0, 20.0],
        "estimates": [5.0, 20.0],
        "exit": [1.0, -4.0],
    }
    table = pd.DataFrame({"method": "a", "trial": 0, "t": [100, 400], "horizon": [100, 400], **terms})
    said = parts("x", "a")(Trials({}, {"x": table}))
    assert said.startswith("prices 56% (0.50), estimates 56% (1.00), exit -11%, ")


def test_points_carry_the_bound():
    points = rates.points(CONFIG, {}, [row(drawn(0.2, rng(12)))])
    assert points["size"].tolist() == SIZES.tolist()
    assert (points["low"] < points["mean"]).all()
    np.testing.assert_allclose(points["bound"], SIZES**0.5)


def test_every_family_has_a_control():
    for rows in (RATES, TIMES):
        assert {rate.family for rate in rows} == {rate.family for rate in rows if rate.control}


def test_every_row_that_is_no_control_names_its_line_in_the_paper():
    assert all((rate.line > 0) != rate.control for rate in (*RATES, *TIMES))


def test_every_statement_has_a_row_or_a_reason_why_not():
    rows = {rate.result for rate in (*RATES, *TIMES) if not rate.control}
    assert set(STATEMENTS) <= rows | set(NO_ROW)
    assert not rows & set(NO_ROW)
    assert set(NO_ROW) <= set(STATEMENTS)


def test_methods_may_stand_for_sizes_and_readings_be_divided():
    table = pd.DataFrame({"method": ["a", "b"] * 2, "trial": [0, 0, 1, 1], "t": 5, "error": [1.0, 2.0, 3.0, 8.0]})
    trials = Trials({}, {"x": table})
    read = labelled("x", {1: "a", 2: "b"}, "error")
    assert read(trials).to_numpy().tolist() == [[1, 2], [3, 8]]
    assert ratio(read, read)(trials).to_numpy().tolist() == [[1, 1], [1, 1]]


def test_a_sweep_may_be_read_along_rounds_in_proportion_to_its_sizes():
    rows = [
        {"method": "a", "trial": 0, "size": s, "horizon": 8, "t": t, "regret": s * t} for s in (1, 2) for t in (4, 8)
    ]
    trials = Trials({}, {"rates_x": pd.DataFrame(rows)})
    assert trials.along_sizes("x", "a", 4).loc[0].to_dict() == {1: 4, 2: 16}


def test_words_are_counted_the_most_favourable_first():
    words = ["growth exceeds the bound", "consistent", "no power", "consistent"]
    assert counted(words) == "2 consistent, 1 no power, 1 growth exceeds the bound"
