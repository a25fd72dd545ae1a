"""The test of a growth against its bound keeps its level on curves within the bound, and finds real excess."""

import time

import numpy as np
import pandas as pd
import pytest

from hdbwk import rng
from hdbwk.metrics.growth import growth
from hdbwk.metrics.level import level_of

SIZES = 250.0 * 2.0 ** np.arange(7)
CURVES = 400
NOISES = [(0.05, 20, 0.0), (0.2, 20, 0.5), (0.5, 20, 0.5), (0.5, 50, 0.5)]  # of one trial, trials, shared over sizes


def trials(curve, generator, noise=0.1, n=20, shared=0.5, sizes=SIZES):
    """Trials around a curve, each with a level of its own and noise at each size."""
    level = generator.lognormal(0, noise * np.sqrt(shared), (n, 1))
    own = generator.lognormal(0, noise * np.sqrt(1 - shared), (n, len(sizes)))
    return pd.DataFrame(curve * level * own, columns=sizes)


def late(start, end, turn):
    """Grows like T^start until the turn, then like T^end."""
    return SIZES**start / (1 + SIZES / turn) ** (start - end)


def turn(generator):
    """A turn within the sizes."""
    return np.exp(generator.uniform(np.log(SIZES[0]), np.log(SIZES[-2])))


SHAPES = {
    "pure power": lambda generator: (SIZES**0.5, SIZES**0.5),
    "power with logarithm": lambda generator: (
        SIZES**0.5 * np.log(SIZES) ** 1.5,
        SIZES**0.5 * np.log(SIZES) ** 1.5,
    ),
    "logarithm alone": lambda generator: (5 + np.log(SIZES), np.log(1e4 * SIZES) * np.log(SIZES)),
    "late asymptotics": lambda generator: (late(generator.uniform(0.6, 1), 0.5, turn(generator)), SIZES**0.5),
    "late in each trial": lambda generator: (
        late(1, 0.5, turn(generator) * generator.lognormal(0, 0.5, (20, 1))),
        SIZES**0.5,
    ),
    "flat, then falling": lambda generator: (late(0, -1, turn(generator)), 1 / SIZES),
    "flat, then a cliff": lambda generator: (late(0, -3, turn(generator)) + 1 / SIZES, 1 / SIZES),
}


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_curves_within_the_bound_are_accused_in_at_most_5_percent(shape, noise):
    generator = rng(1, shape, str(noise))
    accused = 0
    for _ in range(CURVES):
        curve, bound = SHAPES[shape](generator)
        spread, n, shared = noise
        values = trials(curve, generator, spread, 20 if np.ndim(curve) == 2 else n, shared)
        accused += growth(values, bound, generator, resamples=2).p_value <= 0.05
    assert accused <= 0.05 * CURVES


@pytest.mark.parametrize("start", [0.75, 0.9])
def test_a_real_excess_is_found(start):
    generator = rng(2, str(start))
    values = [trials(SIZES**start, generator, 0.1) for _ in range(100)]
    assert sum(growth(v, SIZES**0.5, generator, resamples=2).p_value <= 0.005 for v in values) >= 95


def test_an_excess_with_a_logarithm_that_falls_slowly_is_found():
    generator = rng(3)
    values = [trials(SIZES**0.8 * np.log(SIZES), generator, 0.1) for _ in range(100)]
    assert sum(growth(v, SIZES**0.5, generator, resamples=2).p_value <= 0.05 for v in values) >= 90


def test_an_error_that_stays_flat_is_an_excess():
    generator = rng(4)
    assert growth(trials(1.0, generator, 0.1), 1 / SIZES, generator).p_value <= 1e-4


@pytest.mark.parametrize(("noise", "n"), [(0.1, 20), (0.2, 30)])
def test_the_power_is_that_of_fresh_trials(noise, n):
    """An excess of the size that a row says it would find is found in nine of ten fresh rows, give or take."""
    generator = rng(5, str(noise))
    said = np.median([growth(trials(SIZES**0.5, generator, noise, n), SIZES**0.5, generator).found for _ in range(20)])
    fresh = [trials(SIZES ** (0.5 + said), generator, noise, n) for _ in range(300)]
    found = np.mean([growth(v, SIZES**0.5, generator, resamples=2).p_value <= 0.05 for v in fresh])
    assert 0.8 <= found <= 0.97


def test_a_stricter_level_needs_a_larger_excess():
    values = trials(SIZES**0.5, rng(6), 0.2)
    assert growth(values, SIZES**0.5, rng(7), 0.001).found > growth(values, SIZES**0.5, rng(7), 0.05).found


def test_a_row_far_below_its_bound_finds_an_excess_only_beyond_the_gap():
    values = trials(SIZES**0.1, rng(8), 0.05)
    measured = growth(values, SIZES**0.5, rng(9))
    assert measured.excess == pytest.approx(-0.4, abs=0.05)
    assert measured.found > 0.4


def test_a_row_whose_exponents_fall_cannot_find_an_excess_whatever_its_noise():
    measured = growth(trials(late(1, 0.4, SIZES[3]), rng(27), 0.02), SIZES**0.5, rng(28))
    assert measured.resolution < 0.1
    assert measured.found > 0.25


def test_noise_hides_an_excess():
    assert growth(trials(SIZES**0.5, rng(10), 1.0, n=10), SIZES**0.5, rng(11)).found > 0.25


def test_local_exponents_are_those_of_the_curve():
    measured = growth(trials(SIZES**0.7, rng(12), 0.001), SIZES**0.5, rng(13))
    assert [round(e.estimate, 2) for e in measured.local] == [0.7] * 6
    assert measured.last.estimate == pytest.approx(0.7, abs=0.001)
    assert measured.excess == pytest.approx(0.2, abs=0.01)


def test_intervals_of_local_exponents_cover_the_truth():
    generator = rng(14)
    intervals = [growth(trials(SIZES**0.5, generator), SIZES, generator, resamples=2).local[2] for _ in range(400)]
    assert 0.92 <= np.mean([i.low <= 0.5 <= i.high for i in intervals]) <= 0.98


def test_scaling_values_or_bound_changes_nothing():
    values = trials(SIZES**0.5, rng(15))
    first, second = (growth(c * values, SIZES**0.5 / c, rng(16)) for c in (1.0, 1e6))
    assert first.found == pytest.approx(second.found)
    assert first.p_value == pytest.approx(second.p_value)


def test_four_sizes_have_no_power():
    values = trials(SIZES[:4], rng(17), sizes=SIZES[:4])
    measured = growth(values, SIZES[:4] ** 0.5, rng(18))
    assert (measured.p_value, measured.found) == (1.0, np.inf)
    assert len(measured.local) == 3


def test_means_that_are_not_positive_have_no_power():
    measured = growth(-trials(SIZES, rng(19)), SIZES, rng(20))
    assert (measured.p_value, measured.found, measured.local) == (1.0, np.inf, [])


def test_values_without_noise_are_judged_by_their_sign():
    exact = pd.DataFrame(np.tile(SIZES**0.6, (5, 1)), columns=SIZES)
    assert growth(exact, SIZES**0.5, rng(21)).p_value == 0
    assert growth(exact, SIZES**0.7, rng(21)).p_value == 1


def test_a_row_takes_less_than_a_second():
    values = trials(SIZES**0.5, rng(22), n=200)
    start = time.process_time()
    growth(values, SIZES**0.5, rng(23))
    assert time.process_time() - start < 1


def test_a_mean_above_its_bound_is_found_and_one_below_is_not():
    generator = rng(24)
    values = pd.Series(generator.normal(1.0, 0.1, 50))
    assert level_of(values, 0.9).p_value < 1e-6
    assert level_of(values, 1.1).p_value > 0.99
    assert level_of(values, 1.0).mean.low <= 1.0 <= level_of(values, 1.0).mean.high


def test_the_power_of_a_level_is_that_of_fresh_trials():
    generator = rng(25)
    said = np.median([level_of(pd.Series(generator.normal(1, 0.3, 30)), 1.0).found for _ in range(50)])
    fresh = [level_of(pd.Series(generator.normal(1 + said, 0.3, 30)), 1.0).p_value <= 0.05 for _ in range(500)]
    assert 0.82 <= np.mean(fresh) <= 0.97


def test_a_level_far_below_its_bound_finds_only_what_exceeds_the_gap():
    assert level_of(pd.Series(rng(26).normal(0.2, 0.01, 30)), 1.0).found > 0.8
