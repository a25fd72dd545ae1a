"""What is generated from the specs is up to date, and says what the specs say."""

from pathlib import Path

import jsonschema
import pytest
import yaml

from hdbwk.estimators.registry import OnlineHTParams
from hdbwk.pipeline.loading import load_folder
from hdbwk.pipeline.parameters import described
from hdbwk.pipeline.schema import generated, reference, schema
from hdbwk.policies.registry import POLICIES, params_class

ROOT = Path(__file__).parents[2]
FILES = generated(ROOT)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_generated_files_are_up_to_date(path):
    assert (ROOT / path).read_text() == FILES[path], f"{path} is out of date: run make schema"


@pytest.mark.parametrize("change", [[], ["smoke.yaml"]])
def test_the_configuration_fits_its_schema(change):
    config = load_folder(ROOT / "config", *(ROOT / "config" / name for name in change))
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(config)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"seed": "one"},
        {"bandit": {"colour": "red"}},
        {"bandit": {"methods": {"uniform": {"name": "uniform", "speed": 1}}}},
        {"cbwk": {"methods": {"lincbwk": {"name": "online_ht_bandit"}}}},
    ],
)
def test_the_schema_refuses_what_the_specs_refuse(change):
    from hdbwk.pipeline.loading import merged

    config = merged(load_folder(ROOT / "config"), change)
    assert not jsonschema.Draft202012Validator(schema()).is_valid(config)


@pytest.mark.parametrize("name", [*POLICIES, "online_ht"])
def test_every_parameter_is_explained(name):
    kind = OnlineHTParams if name == "online_ht" else params_class(name)
    text = reference()
    for row in described(kind):
        assert row.meaning or row.key == "name"
        assert f"| `{row.key}` | {row.meaning} |" in text


def test_the_schema_is_yaml_that_can_be_read_again():
    assert yaml.safe_load(FILES[Path("workflow/schemas/config.schema.yaml")]) == schema()
