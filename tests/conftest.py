"""Fixtures that several files use."""

import pytest

from hdbwk import rng
from hdbwk.dual import fluid_value
from hdbwk.environments import CBwKInstance


@pytest.fixture(scope="session")
def paper():
    """The instance of Section 8.3 with its fluid solution."""
    instance = CBwKInstance.draw(rng(1, "paper"), 200, 10, 5, 10)
    return instance, fluid_value(instance, rng(1, "fluid"), n=50_000)
