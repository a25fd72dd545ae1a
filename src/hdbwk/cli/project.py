"""The configuration that the command line works on, and the changes that the user asks for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from hdbwk.pipeline import config as settings
from hdbwk.pipeline.config import ConfigError, did_you_mean

CONFIG = Path("config/config.yaml")
SCHEMA = Path("workflow/schemas/config.schema.yaml")


def find_root() -> Path:
    """The folder of the project: the current one, one above it, or the one that this package was installed from."""
    here = Path.cwd()
    for folder in (here, *here.parents, *Path(__file__).parents):
        if (folder / CONFIG).is_file() and (folder / SCHEMA).is_file():
            return folder
    raise FileNotFoundError(f"there is no {CONFIG} in {here} or above: run hdbwk inside a clone of the project")


def read_config(root: Path, files: Sequence[str]) -> dict[str, Any]:
    """The project's configuration with the user's files over it, checked."""
    for file in files:
        try:
            if not isinstance(yaml.safe_load(Path(file).read_text(encoding="utf-8")) or {}, Mapping):
                raise ConfigError(f"{file} is no mapping of keys to values")
        except yaml.YAMLError as error:
            raise ConfigError(f"{file} is no YAML: {' '.join(str(error).split())}") from error
    config = settings.load(root / CONFIG, *files)
    settings.check(config, root / SCHEMA)
    return config


def find_experiment(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The resolved experiment of that name."""
    names = settings.experiment_names(config)
    if name not in names:
        raise ConfigError(f"{name} is no experiment{did_you_mean(name, names)}; `hdbwk list` shows all")
    return settings.experiment(config, name)


def choose(spec: Mapping[str, Any], methods: Sequence[str]) -> dict[str, Any]:
    """The experiment with these methods alone; its first if none is named."""
    known = spec["methods"]
    for method in methods:
        if method not in known:
            raise ConfigError(f"{method} is no method of {spec['name']}; there are {', '.join(known)}")
    return {**spec, "methods": {method: known[method] for method in methods or list(known)[:1]}}


def changed(spec: Mapping[str, Any], assignments: Sequence[str]) -> dict[str, Any]:
    """
    The experiment after assignments such as ``dim=400`` or ``methods.greedy_s10.epsilon=0.1``.

    One trial has one horizon, `horizon`: the sweep over others, `horizons`, is left to the workflow.
    """
    result = dict(spec)
    keys = [key for key in spec if key not in ("kind", "name", "horizons", "trials")]
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise ConfigError(f"--set {assignment}: give KEY=VALUE, for example dim=400")
        first, *rest = key.split(".")
        if first not in keys:
            known = ", ".join(keys)
            raise ConfigError(
                f"{key} is no key of a trial of {spec['name']}{did_you_mean(first, keys)}; there are {known}"
            )
        if first == "methods" and rest and rest[0] not in spec["methods"]:
            raise ConfigError(
                f"{key}: the methods that run are {', '.join(spec['methods'])}; choose others by --method"
            )
        change: Any = _parsed(key, value)
        for part in reversed([first, *rest]):
            change = {part: change}
        result = settings.merged(result, change)
    return {**result, "horizons": [result["horizon"]]} if "horizons" in spec else result


def _parsed(key: str, text: str) -> Any:
    """A value as YAML reads it; numbers such as 1e-3, which YAML takes for text, are numbers."""
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{key} = {text}: not a YAML value") from error
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value
