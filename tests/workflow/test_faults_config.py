"""A configuration is refused before any job with the name of a key, or it runs: 300 random mutations."""

from pathlib import Path

import pytest
from helpers.mutations import changed_experiments, mutate, run, shrunk, small

from hdbwk.core.seeds import rng
from hdbwk.pipeline.loading import load_folder
from hdbwk.pipeline.resolve import ConfigError, resolve

ROOT = Path(__file__).parents[2]
BASE = small(load_folder(ROOT / "config"))
MUTATIONS = 300


def test_the_configuration_that_is_mutated_runs_in_full(tmp_path):
    for name in resolve(BASE).experiments:
        run(BASE, name, tmp_path)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("batch", range(10))
def test_a_mutation_is_refused_with_its_key_or_runs(batch, tmp_path):
    refused = 0
    for i in range(batch * MUTATIONS // 10, (batch + 1) * MUTATIONS // 10):
        config, place = mutate(BASE, rng(6, "mutation", i))
        try:
            resolve(config)
        except ConfigError as refusal:
            refused += 1
            assert names_the_key(str(refusal), place), f"mutation {i} of {place}: {refusal}"
        else:
            for name in changed_experiments(config, BASE):
                run(shrunk(config), name, tmp_path / str(i))
    assert 0 < refused < MUTATIONS // 10


def names_the_key(message, place):
    """Whether a message speaks of the place of a mutation, or of the part that it belongs to."""
    parts = place.split(".")
    return any(part in message for part in parts[-3:])
