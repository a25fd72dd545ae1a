"""Configurations as YAML has them: nested mappings, read and merged."""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

# each is merged over those before it
FILES = ("config.yaml", "sensitivity.yaml", "tuning.yaml", "rates.yaml", "field.yaml")
Raw = dict[str, Any]


def load(*paths: str | Path) -> Raw:
    """Read YAML files; later ones override earlier ones key by key."""
    config: Raw = {}
    for path in paths:
        config = merged(config, yaml.safe_load(Path(path).read_text(encoding="utf-8")) or {})
    return config


def load_folder(folder: str | Path, *paths: str | Path) -> Raw:
    """Read the files of a configuration in a folder, then others over them."""
    files = [path for name in FILES if (path := Path(folder) / name).exists()]
    return load(*files, *paths)


def merged(base: Raw, change: Raw) -> Raw:
    """A deep copy of `base` with the entries of `change` in it, mappings merged key by key."""
    result = copy.deepcopy(dict(base))
    for key, value in change.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else copy.deepcopy(value)
    return result


def nested(key: str, value: Any) -> Raw:
    """
    A value under a key with dots.

    Examples
    --------
    >>> nested("capacity.high", 0.4)
    {'capacity': {'high': 0.4}}
    """
    for part in reversed(key.split(".")):
        value = {part: value}
    return value
