"""How a configuration is resolved: checked before anything runs, each experiment with its changes."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hdbwk.core.spec import LABEL, SpecError, did_you_mean
from hdbwk.experiments.base import Experiment
from hdbwk.experiments.registry import kinds
from hdbwk.pipeline.config import Head, Plan, Section, experiment_name
from hdbwk.pipeline.loading import Raw, merged

# in the results, beside those of the experiments
FOLDERS = ("benchmarks", "fluid", "logs", "notebooks", "pages", "times")
ConfigError = SpecError


def resolve(config: Raw) -> Plan:
    """The experiments of a configuration; ConfigError with a line for each key that is wrong."""
    faults: list[str] = []
    bases = {name: section for name, section in config.items() if name not in Head.model_fields}
    head = _attempt(faults, Head.read, {key: config[key] for key in config if key not in bases}, "")
    shown = {name: _attempt(faults, _shown, name, section) for name, section in bases.items()}
    _refuse(faults)
    variants = {
        name: _attempt(faults, _changed, bases, shown, head.sections[section], section, label)
        for section in ("tuning", "rates", "sensitivity")
        for name, label in head.names(section).items()
    }
    faults += [
        f"sensitivity.{name}: the name is taken" for name in head.names("sensitivity") if name in _taken(head, shown)
    ]
    faults += [f"{name}.methods is empty" for name, spec in {**shown, **variants}.items() if spec and not spec.methods]
    _refuse(faults)
    order = [name for section in head.sections for name in head.names(section)]
    return Plan(head, {**shown, **{name: variants[name] for name in order}}, list(shown))


def _taken(head: Head, shown: Iterable[str]) -> set[str]:
    """The names that a variant cannot have."""
    return {*shown, *FOLDERS, *head.names("tuning"), *head.names("rates")}


def _attempt(faults: list[str], read: Callable[..., Any], *args: Any) -> Any:
    """What `read` returns, or None with its faults noted."""
    try:
        return read(*args)
    except ConfigError as error:
        faults.append(str(error))
        return None


def _refuse(faults: list[str]) -> None:
    if faults:
        raise ConfigError("\n".join(faults))


def _shown(name: str, section: Any) -> Experiment:
    """The experiment of a section of its own; what it is, `kind`, need not be said if the section is called so."""
    named = isinstance(section, Mapping) and "kind" in section
    if not named and name not in kinds():
        raise ConfigError(f"{name}: there is no such key{did_you_mean(name, (*Head.model_fields, *kinds()))}")
    if not named:
        return experiment_of(name, section, name, name)
    if not re.fullmatch(LABEL, str(name)) or name in FOLDERS:
        raise ConfigError(f"{name}: an experiment cannot be called so")
    _one_of(section["kind"], kinds(), f"{name}.kind")
    return experiment_of(section["kind"], {key: section[key] for key in section if key != "kind"}, name, name)


def experiment_of(kind: str, params: Any, name: str, place: str) -> Experiment:
    """An experiment from its parameters; ConfigError with the names of the keys below `place`."""
    return kinds()[kind].read({**params, "name": name} if isinstance(params, Mapping) else params, place)


def _changed(bases: Raw, shown: Raw, entries: Section, section: str, label: str) -> Experiment:
    """The experiment of an entry: its base with the changes of the section's defaults and its own."""
    entry, place = entries.entries[label], f"{section}.{label}"
    _one_of(entry.base, shown, f"{place}.base")
    base = shown[entry.base]
    kind = getattr(entry, "kind", None) or base.kind
    _one_of(kind, kinds(), f"{place}.kind")
    default = entries.defaults.get(kind, {})
    plain = {key: value for key, value in bases[entry.base].items() if key != "kind"}
    params = merged(merged(plain, default), entry.change)
    known = base.methods if section == "sensitivity" else params["methods"]
    if unknown := [method for method in entry.used if method not in known]:
        raise ConfigError("\n".join(f"{place}: {method} is not a method of {entry.base}" for method in unknown))
    params["methods"] = entry.chosen(params["methods"])
    if getattr(entry, "sweep", None):
        params["sweep"] = entry.sweep.model_dump()
    spec = experiment_of(kind, params, experiment_name(section, label), place)
    if section == "sensitivity" and hasattr(base, "horizons") and not {*spec.all_horizons()} & {*base.all_horizons()}:
        raise ConfigError(f"{place}.horizon = {spec.horizon} and horizons share no horizon with {entry.base}")
    return spec


def _one_of(value: Any, known: Iterable[str], place: str) -> None:
    if value not in list(known):
        raise ConfigError(f"{place} = {value!r}: must be {' or '.join(known)}")
