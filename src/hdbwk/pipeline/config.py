"""The configuration: checked before anything runs, resolved into experiments."""

import copy
import difflib
import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from hdbwk import __version__
from hdbwk.experiments.sweeps import sizes
from hdbwk.pipeline.limits import impossible

KINDS = ("recovery", "bandit", "cbwk")
POLICY_KINDS = ("bandit", "cbwk")  # the kinds whose methods are policies, be it the user's own
FOLDERS = ("benchmarks", "fluid", "logs", "notebooks", "pages")  # beside those of the experiments in the results
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
        config = merged(config, yaml.safe_load(Path(path).read_text(encoding="utf-8")) or {})
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
    validator = _validator(yaml.safe_load(Path(schema_file).read_text(encoding="utf-8")))
    _raise(_lines(validator.iter_errors(config), validator.schema))
    _raise(_misnamed(config))
    specs = {name: experiment(config, name) for name in experiment_names(config)}
    for spec in specs.values():
        _raise(_experiment_faults(config, spec, validator))


def check_experiment(config: Mapping[str, Any], spec: Mapping[str, Any], schema_file: str | Path) -> None:
    """Raise ConfigError for the faults of one resolved experiment, however it came about."""
    _raise(_experiment_faults(config, spec, _validator(yaml.safe_load(Path(schema_file).read_text(encoding="utf-8")))))


def experiment_names(config: Mapping[str, Any]) -> list[str]:
    """The experiments of the figures, then those of the sensitivity, tuning and rates tables."""
    return [*KINDS, *_entries(config)]


def tuning_name(label: str) -> str:
    """The experiment that an entry of `tuning` stands for."""
    return f"tuning_{label}"


def rate_name(label: str) -> str:
    """The experiment that an entry of `rates` stands for."""
    return f"rates_{label}"


def experiment(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The experiment of that name with every key explicit, its `kind` and `name` included."""
    if name in KINDS:
        return {**copy.deepcopy(dict(config[name])), "kind": name, "name": name}
    entry = _entries(config)[name]
    spec = merged(config[entry["base"]], entry["change"])
    if "values" in entry:
        params = spec["methods"][entry["method"]]
        methods = {f"value_{i}": {**params, entry["key"]: value} for i, value in enumerate(entry["values"])}
    else:
        methods = {method: spec["methods"][method] for method in entry["methods"]}
    if "sweep" in entry:
        spec["sweep"] = copy.deepcopy(dict(entry["sweep"]))
    return {**spec, "methods": methods, "kind": entry.get("kind", entry["base"]), "name": name}


def job_spec(spec: Mapping[str, Any], method: str) -> dict[str, Any]:
    """The part of an experiment that decides the numbers of one method's trials."""
    kept = {key: value for key, value in spec.items() if key not in ("trials", "trials_per_job", "name")}
    return {**kept, "methods": {method: spec["methods"][method]}}


def without_methods(spec: Mapping[str, Any]) -> dict[str, Any]:
    """An experiment apart from what is run on it."""
    return {key: value for key, value in spec.items() if key != "methods"}


def instance_spec(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a CBwK experiment that decides its instances and their benchmarks."""
    return {key: spec[key] for key in (*INSTANCE_KEYS, "sweep") if key in spec}


def digest(value: Any) -> str:
    """A short name for a configuration."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def origin(spec: Mapping[str, Any], method: str, seed: int) -> dict[str, Any]:
    """What a chunk of results says of where it comes from."""
    return {"method": method, "seed": seed, "version": __version__, "config": digest(job_spec(spec, method))}


def run_origin(spec: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """What a table of all methods of an experiment says of where it comes from."""
    methods = {method: job_spec(spec, method) for method in spec["methods"]}
    return {"seed": seed, "version": __version__, "config": digest(methods)}


def trials_origin(spec: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """What the table of all trials of an experiment says of where it comes from."""
    return {**run_origin(spec, seed), "trials": spec["trials"]}


def shown_origins(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What the tables behind the figures must say of where they come from, by their paths among the results."""
    specs = {kind: experiment(config, kind) for kind in KINDS}
    tables = {f"{kind}/trials.parquet": trials_origin(spec, config["seed"]) for kind, spec in specs.items()}
    return {**tables, "budgets.parquet": run_origin(specs["cbwk"], config["seed"])}


def _entries(config: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The entries of `sensitivity`, `tuning` and `rates` by the names of their experiments."""
    tuned = {tuning_name(label): entry for label, entry in config["tuning"].items()}
    rates = {rate_name(label): entry for label, entry in config["rates"].items()}
    return {**config["sensitivity"], **tuned, **rates}


def _raise(faults: Iterable[str]) -> None:
    lines = list(faults)
    if lines:
        raise ConfigError("\n".join(lines))


def _validator(schema: Mapping[str, Any]) -> Any:
    """JSON schema without its leniency: 3.0 is no integer, and neither NaN nor infinity is a number."""
    base = jsonschema.Draft202012Validator
    types = base.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    types = types.redefine("number", lambda _, value: type(value) in (int, float) and -math.inf < value < math.inf)
    return jsonschema.validators.extend(base, type_checker=types)(schema)


def _lines(faults: Iterable[Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """One line for each way in which the configuration departs from its schema."""
    for fault in sorted(faults, key=lambda fault: list(map(str, fault.absolute_path))):
        path = list(map(str, fault.absolute_path))
        if fault.validator in ("additionalProperties", "unevaluatedProperties"):
            names = sorted(set(_property_names(schema)))
            for unknown in (name for name in fault.instance if repr(name) in fault.message):
                yield f"{'.'.join([*path, str(unknown)])}: there is no such key{did_you_mean(unknown, names)}"
            continue
        found = "" if isinstance(fault.instance, Mapping | list) else f" = {fault.instance!r}"
        wanted = fault.message
        if fault.validator == "pattern":
            wanted = f"must be {fault.schema['description']}"
        yield f"{'.'.join(path) or 'the configuration'}{found}: {wanted}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question in brackets if a known name is near, else nothing."""
    close = difflib.get_close_matches(str(name), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def _property_names(schema: Any) -> Iterator[str]:
    """All keys that a schema knows, at whatever depth."""
    if isinstance(schema, Mapping):
        yield from schema.get("properties", {})
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else []:
        yield from _property_names(part)


def _experiment_faults(config: Mapping[str, Any], spec: Mapping[str, Any], validator: Any) -> Iterator[str]:
    """The faults of a resolved experiment: as it stands, then at each of its sizes."""
    plain = {key: value for key, value in spec.items() if key != "sweep"}
    faults = list(_section_faults(plain, validator))
    if spec.get("sweep", {}).get("key") == "sparsity" and not faults:
        unknown = [method for method, params in spec["methods"].items() if params.get("working_sparsity", 1) is None]
        faults = [f"{spec['name']}.methods.{method}: a sweep needs a number as working_sparsity" for method in unknown]
    for _, sized in [] if faults else sizes(spec):
        faults += list(_section_faults(sized, validator)) or list(impossible(sized, config))
    yield from faults


def _section_faults(spec: Mapping[str, Any], validator: Any) -> Iterator[str]:
    """Where an experiment departs from the schema of its kind."""
    section = {key: value for key, value in spec.items() if key not in ("kind", "name")}
    faults = validator.descend(section, {"$ref": f"#/$defs/{spec['kind']}"}, path=spec["kind"])
    for line in _lines(faults, validator.schema):
        yield line if spec["name"] in KINDS else f"{spec['name']}: {line}"


def _misnamed(config: Mapping[str, Any]) -> Iterator[str]:
    """Variants have names of their own and run methods of their base; the others may add some."""
    taken = {*KINDS, *FOLDERS, *map(tuning_name, config["tuning"]), *map(rate_name, config["rates"])}
    for name in sorted(taken & set(config["sensitivity"])):
        yield f"sensitivity.{name}: the name is taken"
    for section in ("sensitivity", "tuning", "rates"):
        for name, variant in config[section].items():
            added = {} if section == "sensitivity" else variant["change"].get("methods", {})
            known = {*config[variant["base"]]["methods"], *added}
            for method in sorted({*variant.get("methods", []), variant.get("method")} - {None, *known}):
                yield f"{section}.{name}: {method} is no method of {variant['base']}"
