"""The kinds of experiments: a folder here with a `spec.py` adds the kind that its name says."""

import importlib
from functools import cache
from pathlib import Path
from typing import Any

from hdbwk.experiments.base import Experiment

HERE = Path(__file__).parent
FOLDERS = {file.parent.name: file.parent.relative_to(HERE) for file in sorted(HERE.rglob("spec.py"))}


@cache
def kind_class(kind: str) -> type[Experiment]:
    """The experiment that the spec in the folder of that name defines."""
    module = importlib.import_module(".".join((__package__, *FOLDERS[kind].parts, "spec")))
    (found,) = (part for part in vars(module).values() if getattr(part, "kind", None) == kind)
    return found


def kinds() -> dict[str, type[Experiment]]:
    """The classes of experiments by the names that the configuration uses."""
    return {kind: kind_class(kind) for kind in FOLDERS}


def experiment(job: dict[str, Any]) -> Experiment:
    """The experiment that a job is told of, see `Experiment.job`."""
    params = dict(job)
    return kind_class(params.pop("kind")).model_validate(params)
