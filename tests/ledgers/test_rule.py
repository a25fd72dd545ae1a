"""A row gets its word from the evidence, the correction for many rows, and its power."""

import numpy as np
import pandas as pd

from hdbwk import rng
from hdbwk.ledgers.rule import ABOVE, CONSISTENT, EXCEEDS, NO_POWER, row_level, verdicts, why_no_power
from hdbwk.metrics.growth import growth

SIZES = 250.0 * 2.0 ** np.arange(7)


def rows(*entries):
    return pd.DataFrame(entries, columns=["p_value", "found", "control", "measures"])


def row(values, bound, generator, level):
    measured = growth(values, bound, generator, level)
    return (measured.p_value, measured.found, False, "growth")


def test_the_four_words():
    table = rows(
        (1e-9, 0.1, False, "growth"),
        (1e-9, 0.1, False, "level"),
        (0.5, 0.2, False, "growth"),
        (0.5, 0.3, False, "growth"),
    )
    assert verdicts(table) == [EXCEEDS, ABOVE, CONSISTENT, NO_POWER]


def test_evidence_counts_even_without_power():
    assert verdicts(rows((1e-9, np.inf, False, "growth"))) == [EXCEEDS]


def test_weak_evidence_among_many_rows_is_no_contradiction():
    assert verdicts(rows((0.02, 0.1, False, "growth"))) == [EXCEEDS]
    assert verdicts(rows((0.02, 0.1, False, "growth"), *[(0.6, 0.1, False, "growth")] * 9))[0] == CONSISTENT


def test_controls_neither_pay_nor_charge_for_the_correction():
    table = rows((0.02, 0.1, True, "growth"), (0.02, 0.1, False, "growth"), *[(1e-9, 0.1, True, "growth")] * 9)
    assert verdicts(table) == [EXCEEDS] * 11


def test_no_row_of_a_ledger_within_its_bounds_is_accused_in_95_percent_of_ledgers():
    generator = rng(1)
    accused = 0
    for _ in range(40):
        noise = generator.lognormal(0, 0.1, (20, 20, 7))
        table = rows(*[row(pd.DataFrame(SIZES**0.5 * z, columns=SIZES), SIZES**0.5, generator, 0.05) for z in noise])
        accused += EXCEEDS in verdicts(table)
    assert accused <= 4  # 2 expected at most; 5 or more have a probability of 5%


def test_consistent_needs_power_at_the_level_of_the_whole_ledger():
    generator = rng(2)
    values = pd.DataFrame(SIZES**0.5 * generator.lognormal(0, 0.15, (20, 7)), columns=SIZES)
    alone, among = (verdicts(rows(row(values, SIZES**0.5, rng(3), row_level(0.05, n))))[0] for n in (1, 100))
    assert (alone, among) == (CONSISTENT, NO_POWER)


def test_a_row_without_power_says_why():
    assert why_no_power(np.inf, np.nan, "growth").startswith("fewer than five sizes")
    assert why_no_power(0.5, -0.4, "growth") == "noise: an excess is seen from 0.50 on"
    assert why_no_power(0.1, -0.4, "growth") == "grows slower than the bound by 0.40 in the exponent"
    assert why_no_power(0.1, -0.4, "level") == "lies 40% below the bound"
    assert why_no_power(0.1, 0.05, "growth") == "its exponents still fall"
