"""Banks of arms are made from parameters, and each of them learns."""

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from hdbwk import rng
from hdbwk.estimators.registry import EstimatorParams, OnlineHTParams, RidgeParams, make_bank

ESTIMATORS = [OnlineHTParams(sparsity=3, working_sparsity=6), RidgeParams(penalty=0.5)]


@pytest.mark.parametrize("params", ESTIMATORS, ids=lambda params: params.name)
def test_a_bank_learns_every_arm(params):
    generator = rng(1, "registry")
    truth = np.zeros((2, 3, 12))
    truth[..., :3] = generator.uniform(0.5, 1.0, (2, 3, 3))
    bank = make_bank(params, 2, 3, 12)
    for arm in generator.integers(-1, 2, size=600):
        x = generator.standard_normal(12)
        bank.update(x, arm, truth[arm] @ x, float(arm >= 0))
    np.testing.assert_allclose(bank.coef, truth, atol=0.01)
    np.testing.assert_allclose(bank.predict(x), bank.coef @ x)


def test_the_name_chooses_the_parameters():
    read = TypeAdapter(EstimatorParams).validate_python
    assert read({"name": "online_ht", "sparsity": 4}) == OnlineHTParams(sparsity=4)
    assert read({"name": "ridge"}) == RidgeParams(penalty=1.0)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"name": "rigde"}, "does not match any of the expected tags"),
        ({"name": "ridge", "sparsity": 4}, "Extra inputs"),
        ({"name": "ridge", "penalty": 0}, "should be greater than"),
        ({"name": "online_ht", "sparsity": 0}, "greater than or equal to 1"),
        ({"name": "online_ht", "step": "theory", "kappa": 2.0}, "needs a positive phi_max"),
    ],
)
def test_parameters_that_make_no_bank_are_refused(params, message):
    with pytest.raises(ValidationError, match=message):
        TypeAdapter(EstimatorParams).validate_python(params)
