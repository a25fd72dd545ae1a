"""Paired tests, their intervals, and many of them at once."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from hdbwk import rng
from hdbwk.metrics.inference import holm, p_positive, ratio_of_means


def test_p_positive_is_students_one_sided_test():
    values = rng(1, "p").normal(0.3, 1, 25)
    quotient = values.mean() / (values.std(ddof=1) / np.sqrt(25))
    assert p_positive(values) == pytest.approx(student.sf(quotient, 24))
    assert p_positive(values) + p_positive(-values) == pytest.approx(1)


def test_equal_values_fall_back_to_the_sign_test():
    assert p_positive(np.full(10, 0.2)) == 0.5**10
    assert p_positive(np.zeros(10)) == 1
    assert p_positive(np.full(10, -0.2)) == 1


def test_fiellers_limits_are_the_ratios_that_the_test_just_keeps():
    generator = rng(2, "fieller")
    second = pd.Series(generator.normal(10, 2, 30))
    first = 1.7 * second + generator.normal(0, 3, 30)
    estimate, low, high = ratio_of_means(first, second)
    assert low < estimate < high
    assert p_positive((first - low * second).to_numpy()) == pytest.approx(0.025)
    assert p_positive((high * second - first).to_numpy()) == pytest.approx(0.025)


def test_fiellers_interval_covers_the_true_ratio_in_about_95_of_100_samples():
    generator = rng(3, "coverage")
    covered = 0
    for _ in range(400):
        second = pd.Series(generator.gamma(4, 1, 20))
        first = 1.5 * second + generator.normal(0, 1, 20)
        _, low, high = ratio_of_means(first, second)
        covered += low <= 1.5 <= high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_second_mean_of_zero_gives_the_whole_line():
    second = pd.Series([-1.0, 1.0, -2.0, 2.5])
    assert ratio_of_means(second + 5, second)[1:] == (-np.inf, np.inf)


def test_only_common_trials_are_compared():
    first, second = pd.Series([2.0, 4.0, 100.0], index=[0, 1, 2]), pd.Series([1.0, 2.0], index=[0, 1])
    assert ratio_of_means(first, second).estimate == 2
    with pytest.raises(ValueError, match="two common trials, found 1"):
        ratio_of_means(first[:1], second)


def test_holm_matches_the_textbook_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_keeps_the_family_wise_error():
    """Of 300 families of 20 true null hypotheses at most about 5% may have any rejection."""
    families = rng(4, "holm").uniform(size=(300, 20))
    assert np.mean([min(holm(list(family))) <= 0.05 for family in families]) <= 0.08
