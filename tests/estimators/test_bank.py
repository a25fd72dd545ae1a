"""A bank is K (1 + m) textbook regressions, whatever its rounds leave out."""

import numpy as np
import pytest
from helpers.children import output_of
from hypothesis import given, settings
from hypothesis import strategies as st

from hdbwk import rng
from hdbwk.estimators.online_ht.algorithm import play_round
from hdbwk.estimators.online_ht.bank import OnlineHTBank, _predict
from hdbwk.estimators.online_ht.params import OnlineHTParams
from hdbwk.textbook.online_ht import OnlineHT as TextbookOnlineHT


def bank_of(arms, outputs, dim, sparsity, working=None, step="normalized"):
    """A bank with these parameters."""
    return OnlineHTBank(OnlineHTParams(sparsity=sparsity, working_sparsity=working, step=step), arms, outputs, dim)


def play(seed, bank, arms, outputs, dim, sparsity, working, step, pulls, noise=0.3):
    """Feed the same rows to a bank and to textbook regressions; the textbook's outputs."""
    generator = rng(seed, "bank")
    truth = np.zeros((arms, outputs, dim))
    truth[..., :3] = generator.uniform(0.2, 1.0, (arms, outputs, 3))
    models = [[TextbookOnlineHT(dim, sparsity, working, step) for _ in range(outputs)] for _ in range(arms)]
    estimates = np.zeros((arms, outputs, dim))
    for arm in pulls:
        x = generator.standard_normal(dim)
        targets = truth[arm] @ x + noise * generator.standard_normal(outputs)
        weight = float(generator.choice([1.0, 1.25, 5.0])) if arm >= 0 else 0.0
        bank.update(x, arm, targets, weight)
        for a in range(arms):
            for k in range(outputs):
                estimates[a, k] = models[a][k].update(x, targets[k], weight if a == arm else 0.0)
    return estimates


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**31),
    arms=st.integers(1, 3),
    outputs=st.integers(1, 3),
    dim=st.integers(5, 25),
    sparsity=st.integers(1, 6),
    extra=st.integers(0, 4),
    step=st.sampled_from(["normalized", 0.02]),
    n=st.integers(1, 22),
)
def test_it_equals_the_textbook(seed, arms, outputs, dim, sparsity, extra, step, n):
    """With small supports or long waits a gradient vanishes while its arm waits; the textbook then looks elsewhere."""
    sparsity = min(sparsity, dim)
    working = min(max(sparsity + extra, 4), dim)
    bank = bank_of(arms, outputs, dim, sparsity, working, step)
    order = rng(seed, "pulls")
    pulls = np.concatenate([order.permutation(np.arange(-1, arms)) for _ in range(n)])
    estimates = play(seed, bank, arms, outputs, dim, sparsity, working, step, pulls)
    np.testing.assert_allclose(bank.coef, estimates, rtol=1e-8, atol=1e-10)
    np.testing.assert_array_equal(bank.coef != 0, estimates != 0)


@pytest.mark.parametrize("step", ["normalized", 0.05])
def test_arms_that_wait_converge_and_are_then_left_out_exactly(step):
    bank = bank_of(2, 2, 30, 3, 3, step)
    pulls = [0, 1] * 60 + [1] * 400 + [0] * 5
    estimates = play(1, bank, 2, 2, 30, 3, 3, step, pulls, noise=0.1)
    np.testing.assert_allclose(bank.coef, estimates, rtol=1e-8, atol=1e-10)


def test_a_converged_arm_is_left_out_until_its_next_pull():
    bank = bank_of(2, 1, 30, 3, 3)
    play(1, bank, 2, 1, 30, 3, 3, "normalized", [0, 1] * 60 + [1] * 200, noise=0.1)
    assert bank._state.settled[0, 0]
    assert not bank._state.settled[1, 0]
    bank.update(rng(2, "bank").standard_normal(30), 0, np.ones(1), 1.0)
    assert not bank._state.settled[0, 0]


@pytest.mark.parametrize("scale", [1e-58, 1e-30, 1e30, 1e58])
@pytest.mark.parametrize("target_scale", [1.0, 1e-58, 1e58])
def test_extreme_scales_of_rows_and_targets_change_nothing_else(scale, target_scale):
    ordinary, extreme = bank_of(2, 1, 12, 2, 3), bank_of(2, 1, 12, 2, 3)
    generator = rng(5, "bank")
    for t in range(60):
        x, arm = generator.standard_normal(12), t % 3 - 1
        target = np.array([x[0] - 2 * x[5] + 0.1 * generator.standard_normal()])
        ordinary.update(x, arm, target, arm >= 0)
        extreme.update(scale * x, arm, target_scale * target, arm >= 0)
    np.testing.assert_allclose(extreme.coef * (scale / target_scale), ordinary.coef, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.array([0.0, -1e100])}, r"x\[1\] = -1e\+100 must be finite, and at most 1e\+60"),
        ({"x": np.array([0.0, 1e-100])}, "x has entries up to 1e-100: rescale it to 1e-60 at least"),
        ({"targets": np.array([1e100])}, r"targets\[0\] = 1e\+100"),
    ],
)
def test_scales_whose_products_leave_the_floats_are_refused(change, message):
    bank = bank_of(2, 1, 2, 1)
    with pytest.raises(ValueError, match=message):
        bank.update(**{"x": np.ones(2), "arm": 0, "targets": np.ones(1), "weight": 1.0} | change)
    bank.update(np.zeros(2), 0, np.zeros(1), 1.0)


MISUSE = """
import numpy as np
from hdbwk.estimators.online_ht.bank import OnlineHTBank
from hdbwk.estimators.online_ht.params import OnlineHTParams

GOOD = {"x": np.ones(8), "arm": 0, "targets": np.ones(3), "weight": 1.0}
FAULTS = [
    *({"x": np.ones(dim)} for dim in (0, 1, 7, 9, 100_000)),
    *({"x": x} for x in (np.full(8, np.nan), np.full(8, np.inf), np.ones((8, 1)), np.ones((1, 8)), "x", None, 1.0)),
    *({"arm": arm} for arm in (-2, 2, 10**6, -(10**6), "x", None, 0.0, True, np.ones(1))),
    {"arm": -1},
    *({"targets": targets} for targets in (np.ones(2), np.ones(4), np.ones((3, 1)), 1.0, [1, 2, np.nan], None, "x")),
    *({"weight": weight} for weight in (-1.0, np.nan, np.inf, "x", None)),
]
for fault in FAULTS:
    bank = OnlineHTBank(OnlineHTParams(sparsity=2), 2, 3, 8)
    bank.update(**GOOD)
    before = bank.coef
    calls = [lambda: bank.update(**GOOD | fault)] + [lambda: bank.predict(fault["x"])] * ("x" in fault)
    for call in calls:
        try:
            call()
            print("taken:", fault)
        except (ValueError, TypeError):
            assert (bank.coef == before).all()
print("end")
"""


def test_what_does_not_fit_is_refused_before_a_kernel_and_changes_nothing():
    assert output_of(MISUSE) == ["end"]


def test_any_form_of_a_context_gives_the_same_answers():
    x = rng(1, "bank").standard_normal(16)
    frozen = x.copy()
    frozen.flags.writeable = False
    answers = []
    for form in (x, frozen, np.repeat(x, 2)[::2], x.astype(">f8"), list(x)):
        bank = bank_of(2, 1, 16, 3)
        bank.update(form, 1, np.ones(1), 2)
        answers.append(bank.predict(form))
    np.testing.assert_array_equal(answers, np.tile(answers[0], (5, 1, 1)))


def test_no_form_of_a_context_compiles_a_kernel_again():
    bank = bank_of(2, 1, 8, 2)
    bank.update(np.ones(8), 0, np.ones(1), 1.0)
    bank.predict(np.ones(8))
    compiled = len(play_round.signatures), len(_predict.signatures)
    read_only = np.broadcast_to(1.0, 8)
    bank.update(read_only, np.int32(1), np.broadcast_to(1.0, 1), 2)
    bank.predict(np.ones(8, dtype=np.float32))
    assert (len(play_round.signatures), len(_predict.signatures)) == compiled


@pytest.mark.parametrize("sizes", [(0, 1, 8), (2, 0, 8), (2, 1, -8), (2.0, 1, 8)])
def test_sizes_are_positive_integers(sizes):
    with pytest.raises(ValueError, match="must be an integer of at least 1"):
        bank_of(*sizes, sparsity=2)
