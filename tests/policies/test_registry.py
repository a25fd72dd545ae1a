"""Which parameters a policy has."""

from hdbwk.policies.parts.params import FreeParams
from hdbwk.policies.registry import params_class
from hdbwk.policies.uniform import Uniform


class Plain(Uniform):
    """Built as the policy that it extends."""


class Patient(Uniform):
    """Built in a way of its own."""

    def __init__(self, info, patience):
        super().__init__(info)
        self.patience = patience


def test_a_policy_that_extends_another_has_its_parameters():
    assert params_class(f"{__name__}:Plain") is Uniform.Params


def test_a_constructor_of_its_own_takes_parameters_of_its_own():
    assert params_class(f"{__name__}:Patient") is FreeParams
