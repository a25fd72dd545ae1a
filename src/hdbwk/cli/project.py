"""The configuration that the command line works on, and the changes that the user asks for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from hdbwk.core.spec import did_you_mean
from hdbwk.experiments.base import Experiment
from hdbwk.pipeline.config import Plan
from hdbwk.pipeline.loading import Raw, load_folder, merged, nested
from hdbwk.pipeline.resolve import ConfigError, experiment_of, resolve

CONFIG = Path("config/config.yaml")
UNSET = ("kind", "name", "horizons", "trials", "trials_per_job", "sweep")  # what a single trial does not have


def find_root() -> Path:
    """The folder of the project: the current one, one above it, or the one that this package was installed from."""
    here = Path.cwd()
    for folder in (here, *here.parents, *Path(__file__).parents):
        if (folder / CONFIG).is_file():
            return folder
    raise FileNotFoundError(f"there is no {CONFIG} in {here} or above: run hdbwk inside a clone of the project")


def read_config(root: Path, files: Sequence[str]) -> Plan:
    """The project's configuration with the user's files over it, checked."""
    for file in files:
        try:
            if not isinstance(yaml.safe_load(Path(file).read_text(encoding="utf-8")) or {}, Mapping):
                raise ConfigError(f"{file} is not a mapping of keys to values")
        except yaml.YAMLError as error:
            raise ConfigError(f"{file} is not YAML: {' '.join(str(error).split())}") from error
    return resolve(load_folder((root / CONFIG).parent, *files))


def find_experiment(plan: Plan, name: str) -> Experiment:
    """The experiment of that name."""
    if name not in plan.experiments:
        question = did_you_mean(name, plan.experiments)
        raise ConfigError(f"{name} is not an experiment{question}; `hdbwk list` shows all")
    return plan.experiments[name]


def chosen(spec: Experiment, methods: Sequence[str], assignments: Sequence[str]) -> Experiment:
    """
    One trial of some methods, the first if none is named, after assignments such as ``capacity.high=0.4``.

    A trial has one horizon, `horizon`: the sweep over others, `horizons`, is left to the workflow.
    """
    known = spec.model_dump()["methods"]
    for method in methods:
        if method not in known:
            raise ConfigError(f"{method} is not a method of {spec.name}; there are {', '.join(known)}")
    params = spec.model_dump(exclude={"sweep", "name"})
    params["methods"] = {method: known[method] for method in methods or list(known)[:1]}
    for assignment in assignments:
        params = merged(params, _change(spec.name, params, assignment))
    if "horizons" in params:
        params["horizons"] = [params["horizon"]]
    return experiment_of(spec.kind, params, spec.name, spec.name)


def _change(name: str, params: Raw, assignment: str) -> Raw:
    """What an assignment KEY=VALUE changes."""
    key, equals, value = assignment.partition("=")
    if not equals:
        raise ConfigError(f"--set {assignment}: give KEY=VALUE, for example dim=400")
    keys = [key for key in params if key not in UNSET]
    first, *rest = key.split(".")
    if first not in keys:
        question = did_you_mean(first, keys)
        raise ConfigError(f"{key} is not a key of a trial of {name}{question}; there are {', '.join(keys)}")
    if first == "methods" and rest and rest[0] not in params["methods"]:
        running = ", ".join(params["methods"])
        raise ConfigError(f"{key}: the methods that run are {running}; choose others by --method")
    return nested(key, _parsed(key, value))


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
