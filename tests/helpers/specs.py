"""Experiments of the configuration at the small scale, and experiments with changes."""

from functools import cache
from pathlib import Path

from hdbwk.pipeline.loading import load_folder, merged
from hdbwk.pipeline.resolve import resolve

CONFIG = Path(__file__).parents[2] / "config"


@cache
def plan(*files):
    """The configuration with some files of its folder over it."""
    return resolve(load_folder(CONFIG, *(CONFIG / file for file in files)))


def smoke(name, **change):
    """An experiment at the small scale, with some keys changed."""
    return changed(plan("smoke.yaml").experiments[name], **change)


def changed(spec, **change):
    """An experiment with some keys changed."""
    return type(spec).model_validate(merged(spec.model_dump(), change))
