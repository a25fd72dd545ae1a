"""Claims are judged by their checks, with Holm's correction over all of them."""

import numpy as np
import pandas as pd
import pytest

from hdbwk import rng
from hdbwk.ledgers import claims
from hdbwk.ledgers.checks import at_least, at_most, fact
from hdbwk.ledgers.claim_rows import CLAIMS, Claim
from hdbwk.ledgers.trials import Trials
from hdbwk.pipeline.loading import load_folder

CONFIG = {"ledgers": {"level": 0.05, "substantial": 1.5}}


def series(mean, label, spread=0.1):
    return pd.Series(rng(1, label).normal(mean, spread, 50))


def judged(*claims_):
    return claims.judge(
        CONFIG, {}, [Claim("8", says, "ratio", lambda _, c=checks: iter(c)) for says, checks in claims_]
    )


def verdict(*checks):
    return judged(("a claim", checks))["verdict"].iloc[0]


TRUE = at_least("true", series(3, "a"), series(1, "b"), 1.5)
FALSE = at_least("false", series(1, "c"), series(1, "d"), 1.5)
OPEN = at_least("open", series(1.5, "e"), series(1, "f"), 1.5)


def test_a_claim_is_reproduced_if_all_its_checks_hold():
    assert verdict(TRUE, TRUE) == "reproduced"
    assert verdict(TRUE, FALSE) == "partly"
    assert verdict(TRUE, OPEN) == "partly"
    assert verdict(FALSE, OPEN) == "not reproduced"
    assert verdict(OPEN) == "inconclusive"


def test_at_most_is_the_contrary_of_at_least():
    contrary = at_most("contrary", series(3, "a"), series(1, "b"), 1.5)
    assert (contrary.p_holds, contrary.p_fails) == (TRUE.p_fails, TRUE.p_holds)
    assert contrary.measured == TRUE.measured


def test_facts_hold_or_fail_without_chance():
    assert verdict(fact("entries", 10, True)) == "reproduced"
    assert verdict(fact("entries", 11, False)) == "not reproduced"


def test_one_lucky_check_among_many_does_not_hold():
    lucky = at_least("lucky", series(1.49, "g", 0.15), series(1, "h", 0.02), 1.5)
    assert 0.002 < lucky.p_holds < 0.05
    assert verdict(lucky) == "reproduced"
    table = judged(*((f"claim {i}", [OPEN]) for i in range(60)), ("lucky", [lucky]))
    assert not table[table["claim"] == "lucky"]["holds"].any()


def test_people_see_one_row_for_each_claim_with_its_extreme_checks():
    table = judged(("first", [TRUE, FALSE, OPEN]), ("second", [fact("entries", 10, True)]))
    first, second = claims.shown(table).itertuples()
    assert first.measured.startswith("false: ")
    assert "; true: " in first.measured
    assert "open: " not in first.measured
    assert (first.checks, first.verdict) == ("1 of 3 hold, 1 contradicted", "partly")
    assert second.measured == "entries: 10"


def test_rules_name_keys_of_the_configuration():
    ledgers = load_folder("config")["ledgers"]
    for claim in CLAIMS:
        assert "{" not in claim.rule.format(**ledgers)


def horizons(regret):
    """Trials of a method at two horizons, the shorter read at every round."""
    rows = [
        {"method": "a", "trial": trial, "horizon": T, "t": t, "regret": trial + value}
        for trial in range(2)
        for T, path in regret.items()
        for t, value in path.items()
    ]
    return pd.DataFrame(rows)


def test_trials_are_read_at_the_rounds_that_are_asked_for():
    table = horizons({2: {1: 10.0, 2: 20.0}, 4: {4: 40.0}})
    trials = Trials({"bandit": {"horizon": 2}}, {"bandit": table})
    assert trials.final("bandit", "a").tolist() == [20, 21]
    assert trials.longest("bandit", "a").tolist() == [40, 41]
    assert trials.at("bandit", "a", "regret", 0.5).tolist() == [10, 11]
    assert trials.over_horizons("bandit", "a").columns.tolist() == [2, 4]


def test_a_sweep_is_read_by_size():
    parts = [horizons({2: {1: size, 2: 2.0 * size}, 4: {4: 5.0 * size}}).assign(size=size) for size in (10, 20)]
    trials = Trials({}, {"rates_x": pd.concat(parts)})
    assert trials.over_sweep("x", "a", "regret").loc[0].to_dict() == {10: 50, 20: 100}
    assert trials.late("x", "a", since=2).loc[0].to_dict() == {10: 30, 20: 60}


def test_what_comes_late_begins_where_it_is_said_to_whatever_other_horizons_there_are():
    parts = [horizons({1: {1: 1.0}, 2: {2: 2.0 * size}, 4: {4: 5.0 * size}}).assign(size=size) for size in (10, 20)]
    trials = Trials({}, {"rates_x": pd.concat(parts)})
    assert trials.late("x", "a", since=2).loc[0].to_dict() == {10: 30, 20: 60}


@pytest.mark.parametrize(("ahead", "since"), [([0, 1, 0, 1, 1], "4"), ([0, 0], "never"), ([1, 1], "1")])
def test_ahead_from_is_the_start_of_the_last_run(ahead, since):
    from hdbwk.ledgers.claim_rows import _ahead_from

    assert _ahead_from(pd.Series(np.array(ahead, dtype=bool), index=range(1, len(ahead) + 1))) == since


def test_a_claim_about_what_was_not_simulated_is_left_out(capsys):
    table = judged(("first", [TRUE]))
    missing = Claim(
        "8", "second", "ratio", lambda trials: iter([fact("x", trials.final("bandit", "gone").mean(), True)])
    )
    both = claims.judge(CONFIG, {}, [Claim("8", "first", "ratio", lambda _: iter([TRUE])), missing])
    assert both["claim"].tolist() == table["claim"].tolist()
    assert "left out: second" in capsys.readouterr().out
