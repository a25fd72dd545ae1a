"""The kinds of experiments: each `spec` in a folder beside this file adds those that it defines."""

import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hdbwk.experiments.base import Experiment


@cache
def kinds() -> dict[str, type[Experiment]]:
    """The classes of experiments by the names that the configuration uses."""
    here = Path(__file__).parent
    for file in sorted(here.rglob("spec.py")):
        importlib.import_module(".".join((__package__, *file.relative_to(here).with_suffix("").parts)))
    return {kind.kind: kind for kind in _below(Experiment) if "kind" in vars(kind)}


def _below(kind: type[Experiment]) -> Iterator[type[Experiment]]:
    for below in kind.__subclasses__():
        yield below
        yield from _below(below)


def experiment(job: Mapping[str, Any]) -> Experiment:
    """The experiment that a job is told of, see `Experiment.job`."""
    params = dict(job)
    return kinds()[params.pop("kind")].model_validate(params)
