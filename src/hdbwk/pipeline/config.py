"""What a configuration is: its keys beside the experiments, and what those are once it is resolved."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, Strict

from hdbwk.core.spec import LABEL, Count, Flag, Folder, Number, Positive, Spec, did_you_mean, distinct
from hdbwk.experiments.base import Experiment, Sweep
from hdbwk.experiments.registry import kinds
from hdbwk.pipeline.loading import Raw, merged, nested


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
    values: Annotated[list[Count | Number], AfterValidator(distinct), Field(min_length=2, max_length=100)] = Field(
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


def experiment_name(section: str, label: str) -> str:
    """The experiment that an entry of a section stands for; a variant is called as its label says."""
    return label if section == "sensitivity" else f"{section}_{label}"


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
