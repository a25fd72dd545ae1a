"""The configuration: checked before anything runs, resolved into experiments."""

import copy
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import yaml

from hdbwk import __version__
from hdbwk.policies.registry import POLICIES, policy_class

KINDS = ("recovery", "bandit", "cbwk")
# The keys of a CBwK experiment that decide its instances: experiments that agree on them share their benchmarks.
INSTANCE_KEYS = (
    "setting",
    "dim",
    "sparsity",
    "n_arms",
    "n_resources",
    "noise",
    "correlation",
    "bound",
    "signal",
    "consumption",
    "capacity",
    "nonnegative",
    "fluid_contexts",
)


class ConfigError(ValueError):
    """A configuration that cannot be run; the message has one line for each fault."""


def load(*paths: str | Path) -> dict[str, Any]:
    """Read YAML files; later ones override earlier ones key by key."""
    config: dict[str, Any] = {}
    for path in paths:
        config = merged(config, yaml.safe_load(Path(path).read_text()) or {})
    return config


def merged(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """A deep copy of `base` with the entries of `change` in it, mappings merged key by key."""
    result = copy.deepcopy(dict(base))
    for key, value in change.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else copy.deepcopy(value)
    return result


def check(config: Mapping[str, Any], schema_file: str | Path) -> None:
    """Raise ConfigError with the name of each key that is unknown, missing, of a wrong type or impossible."""
    schema = yaml.safe_load(Path(schema_file).read_text())
    _raise(_schema_faults(config, schema))
    _raise(_unknown_methods(config))
    specs = {name: experiment(config, name) for name in experiment_names(config)}
    for name, spec in specs.items():
        section = {key: value for key, value in spec.items() if key not in ("kind", "name")}
        faults = _schema_faults({**config, spec["kind"]: section}, schema)
        _raise(fault if name in KINDS else f"{name}: {fault}" for fault in faults)
    _raise(fault for name, spec in specs.items() for fault in _impossible(name, spec))


def experiment_names(config: Mapping[str, Any]) -> list[str]:
    """The experiments of the figures, then those of the sensitivity and tuning tables."""
    return [*KINDS, *config["sensitivity"], *map(tuning_name, config["tuning"])]


def tuning_name(label: str) -> str:
    """The experiment that an entry of `tuning` stands for."""
    return f"tuning_{label}"


def experiment(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The experiment of that name with every key explicit, its `kind` and `name` included."""
    if name in KINDS:
        return {**copy.deepcopy(dict(config[name])), "kind": name, "name": name}
    if name in config["sensitivity"]:
        variant = config["sensitivity"][name]
        spec = merged(config[variant["base"]], variant["change"])
        methods = {method: spec["methods"][method] for method in variant["methods"]}
    else:
        variant = config["tuning"][name.removeprefix("tuning_")]
        spec = merged(config[variant["base"]], variant["change"])
        params = spec["methods"][variant["method"]]
        methods = {f"value_{i}": {**params, variant["key"]: value} for i, value in enumerate(variant["values"])}
    return {**spec, "methods": methods, "kind": variant["base"], "name": name}


def job_spec(spec: Mapping[str, Any], method: str) -> dict[str, Any]:
    """The part of an experiment that decides the numbers of one method's trials."""
    kept = {key: value for key, value in spec.items() if key not in ("trials", "name")}
    return {**kept, "methods": {method: spec["methods"][method]}}


def instance_spec(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a CBwK experiment that decides its instances and their benchmarks."""
    return {key: spec[key] for key in INSTANCE_KEYS}


def digest(value: Any) -> str:
    """A short name for a configuration."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def origin(spec: Mapping[str, Any], method: str, seed: int) -> dict[str, Any]:
    """What a chunk of results says of where it comes from."""
    return {"method": method, "seed": seed, "version": __version__, "config": digest(job_spec(spec, method))}


def _raise(faults: Iterator[str] | list[str]) -> None:
    lines = list(faults)
    if lines:
        raise ConfigError("\n".join(lines))


def _schema_faults(config: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """One line for each way in which the configuration departs from its schema."""
    base = jsonschema.Draft202012Validator
    types = base.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    types = types.redefine("number", lambda _, value: type(value) in (int, float) and bool(np.isfinite(value)))
    validator = jsonschema.validators.extend(base, type_checker=types)(schema)
    for fault in sorted(validator.iter_errors(config), key=lambda fault: list(map(str, fault.absolute_path))):
        key = ".".join(map(str, fault.absolute_path)) or "the configuration"
        found = "" if isinstance(fault.instance, Mapping | list) else f" = {fault.instance!r}"
        yield f"{key}{found}: {fault.message}"


def _unknown_methods(config: Mapping[str, Any]) -> Iterator[str]:
    """Variants may only run methods of their base, or those that they add."""
    for section in ("sensitivity", "tuning"):
        for name, variant in config[section].items():
            known = {*config[variant["base"]]["methods"], *variant["change"].get("methods", {})}
            for method in sorted({*variant.get("methods", []), variant.get("method")} - {None, *known}):
                yield f"{section}.{name}: {method} is no method of {variant['base']}"


def _impossible(name: str, spec: Mapping[str, Any]) -> Iterator[str]:
    """What the schema cannot say: relations between keys."""
    if spec["sparsity"] > spec["dim"]:
        yield f"{name}.sparsity = {spec['sparsity']} exceeds {name}.dim = {spec['dim']}"
    if spec["every"] > spec["horizon"]:
        yield f"{name}.every = {spec['every']} exceeds {name}.horizon = {spec['horizon']}"
    for key in {"signal", "consumption", "capacity"} & set(spec):
        low, high = spec[key]["low"], spec[key]["high"]
        if low > high:
            yield f"{name}.{key}.low = {low} exceeds {name}.{key}.high = {high}"
    if not spec["methods"]:
        yield f"{name}.methods is empty"
    for method, params in spec["methods"].items():
        yield from _impossible_method(f"{name}.methods.{method}", params, spec)


def _impossible_method(place: str, params: Mapping[str, Any], spec: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with one method."""
    if spec["kind"] != "recovery" and params["name"] not in POLICIES:
        try:
            policy_class(params["name"])
        except ValueError as error:
            yield f"{place}.name: {error}"
    for key in ("sparsity", "working_sparsity"):
        if isinstance(params.get(key), int) and params[key] > spec["dim"]:
            yield f"{place}.{key} = {params[key]} exceeds dim = {spec['dim']}"
    if params.get("Z") == "estimated" and params["explore"] < 1:
        yield f"{place}: Z = 'estimated' needs explore of at least 1"
    if params.get("step") == "theory" and not (params.get("kappa") and params.get("phi_max")):
        yield f"{place}: step = 'theory' needs kappa and phi_max"
