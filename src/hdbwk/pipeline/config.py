"""The configuration: checked before anything runs, resolved into experiments."""

import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, ConfigDict, Field, Strict

from hdbwk import __version__
from hdbwk.core.spec import LABEL, Flag, Folder, Number, Positive, Spec, SpecError, did_you_mean, distinct
from hdbwk.experiments.base import Experiment, Sweep
from hdbwk.experiments.registry import kinds

FILES = (
    "config.yaml",
    "sensitivity.yaml",
    "tuning.yaml",
    "rates.yaml",
    "levels.yaml",
    "warfarin.yaml",
)  # each is merged over those before it
FOLDERS = (
    "benchmarks",
    "fluid",
    "logs",
    "notebooks",
    "pages",
    "times",
)  # beside those of the experiments in the results
Raw = dict[str, Any]
ConfigError = SpecError


def _nested(change: Raw) -> Raw:
    methods = change.get("methods", {})
    if not isinstance(methods, dict) or not all(isinstance(params, dict) for params in methods.values()):
        raise ValueError("methods must be a mapping from labels to mappings of keys to values")
    return change


Change = Annotated[dict[str, Any], AfterValidator(_nested)]


class Variant(Spec):
    """Some methods of an experiment with some keys changed, on the same seeds."""

    base: str = Field(description="the experiment that is changed")
    change: Change = Field({}, description="keys of the base with their new values")
    methods: Annotated[list[str], AfterValidator(distinct), Field(min_length=1)] = Field(
        description="labels of the methods to run"
    )
    each: dict[str, Any] = Field({}, description="parameters that are changed in each of these methods")

    @property
    def used(self) -> list[str]:
        """The methods of the base that are run."""
        return self.methods

    def chosen(self, methods: Raw) -> Raw:
        """The methods to run, with their parameters."""
        return {method: merged(methods[method], self.each) for method in self.methods}


class Rate(Variant):
    """More settings for the rates ledger."""

    kind: str | None = Field(None, description="what is simulated, if not what the base is")
    sweep: Sweep | None = Field(None, description="run once for each of the `values` of a `key`")


class Tuned(Spec):
    """Values tried for one parameter of one method, on trials that no figure uses."""

    base: str = Field(description="the experiment that is changed")
    change: Change = Field({}, description="keys of the base with their new values")
    method: str = Field(description="the method that is tuned")
    key: str = Field(description="its parameter")
    values: Annotated[list[Number], AfterValidator(distinct), Field(min_length=2, max_length=100)] = Field(
        description="what is tried"
    )

    @property
    def used(self) -> list[str]:
        """The method of the base that is run."""
        return [self.method]

    def chosen(self, methods: Raw) -> Raw:
        """A method for each value."""
        changes = (nested(self.key, value) for value in self.values)
        return {f"value_{i}": merged(methods[self.method], change) for i, change in enumerate(changes)}


class Ledgers(Spec):
    """What words and numbers mean in the ledgers of claims, rates and assumptions."""

    level: Number = Field(
        gt=0, le=0.5, description="significance level of claims and rates, after Holm's correction over all of them"
    )
    substantial: Number = Field(
        gt=1,
        description='ratio that "substantially", "much", "large" and "inferior" ask for; "stable" allows at most this',
    )
    competitive: Number = Field(ge=1, description="ratio up to which an error counts as competitive")
    nearly: Number = Field(gt=0, le=1, description='share of the support that "nearly exact" asks for')
    controls_must_fail: Flag = Field(
        description="whether a control of the rates that keeps its bound ends the run; false at the small scale, "
        "whose sizes cannot tell"
    )
    minutes: Positive = Field(description='minutes of processor time that "within minutes" allows an experiment')
    instances: Annotated[int, Strict(), Field(ge=1, le=1000)] = Field(
        description="how many instances of each experiment are diagnosed"
    )
    contexts: Annotated[int, Strict(), Field(ge=100, le=1_000_000)] = Field(description="on how many contexts")


class Section(Spec):
    """Entries by their labels, and what they change unless they say otherwise, by the kind of the experiment."""

    model_config = ConfigDict(extra="allow")
    defaults: dict[str, Change] = Field({}, description="kind of experiment -> what all entries of that kind change")

    @property
    def entries(self) -> dict[str, Any]:
        """The entries by their labels."""
        return self.model_extra or {}

    def faults(self) -> Iterator[str]:
        """Labels that are not names, and defaults of unknown kinds."""
        for label in self.entries:
            if not re.fullmatch(LABEL, label):
                yield f'@{label}: the label must be a name of small letters, digits and "_", at most 60'
        for kind in self.defaults:
            if kind not in kinds():
                yield f"@defaults.{kind}: there is no such kind of experiment{did_you_mean(kind, kinds())}"


class Sensitivity(Section):
    """Variants."""

    __pydantic_extra__: dict[str, Variant]


class Tuning(Section):
    """Tuned methods."""

    __pydantic_extra__: dict[str, Tuned]


class Rates(Section):
    """Settings of rates."""

    __pydantic_extra__: dict[str, Rate]


class Head(Spec):
    """The keys of a configuration beside its experiments."""

    seed: Annotated[int, Strict(), Field(ge=0, lt=2**64)] = Field(description="root of all random numbers")
    results: Folder = Field(description="folder for tables, logs and benchmarks")
    figures: Folder = Field(description="folder for figures and their data")
    ledgers: Ledgers = Field(description="thresholds of the verdicts")
    sensitivity: Sensitivity = Field(Sensitivity(), description="variants, run by `snakemake sensitivity` alone")
    tuning: Tuning = Field(Tuning(), description="values tried for baselines, run by `snakemake tuning` alone")
    rates: Rates = Field(Rates(), description="more settings for the rates ledger")

    @property
    def sections(self) -> dict[str, Section]:
        """The sections whose entries are experiments with changes."""
        return {"sensitivity": self.sensitivity, "tuning": self.tuning, "rates": self.rates}

    def names(self, section: str) -> dict[str, str]:
        """The experiments of a section, with the labels of their entries."""
        return {experiment_name(section, label): label for label in self.sections[section].entries}


@dataclass(frozen=True)
class Plan:
    """
    A configuration that can be run.

    Attributes
    ----------
    head : Head
        What it holds beside experiments.
    experiments : mapping
        All experiments by their names: those of the figures, then those of the sections.
    shown : list of str
        The names of those that have figures.
    """

    head: Head
    experiments: dict[str, Experiment]
    shown: list[str]

    @property
    def seed(self) -> int:
        """The root seed."""
        return self.head.seed

    def names(self, section: str) -> list[str]:
        """The experiments of a section."""
        return list(self.head.names(section))


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


def experiment_name(section: str, label: str) -> str:
    """The experiment that an entry of a section stands for; a variant is called as its label says."""
    return label if section == "sensitivity" else f"{section}_{label}"


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


def digest(value: Any) -> str:
    """A short name for a configuration."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def origin(spec: Experiment, method: str, seed: int) -> Raw:
    """What a chunk of results says of where it comes from."""
    return {"method": method, "seed": seed, "version": __version__, "config": digest(spec.job(method))}


def run_origin(spec: Experiment, seed: int) -> Raw:
    """What a table of all methods of an experiment says of where it comes from."""
    return {"seed": seed, "version": __version__, "config": digest({name: spec.job(name) for name in spec.methods})}


def trials_origin(spec: Experiment, seed: int) -> Raw:
    """What the table of all trials of an experiment says of where it comes from."""
    return {**run_origin(spec, seed), "trials": spec.trials}


def shown_origins(plan: Plan) -> dict[str, Raw]:
    """What the tables behind the figures must say of where they come from, by their paths among the results."""
    origins = {}
    for name in plan.shown:
        spec = plan.experiments[name]
        for table in {table for figure in spec.figures().values() for table in figure.tables}:
            origin = trials_origin if table == "trials" else run_origin
            origins[f"{name}/{table}.parquet"] = origin(spec, plan.seed)
    return origins
