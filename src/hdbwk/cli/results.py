"""The results of a finished run, for those who open them."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hdbwk.cli.project import find_root, read_config
from hdbwk.pipeline.origins import shown_origins
from hdbwk.pipeline.tables import Origin, read_table


@dataclass(frozen=True)
class Run:
    """
    A finished run.

    Attributes
    ----------
    results, figures : Path
        Its folders.
    origins : mapping
        What its tables must say of their origin, by their paths below `results`.
    """

    results: Path
    figures: Path
    origins: Mapping[str, Origin]

    def table(self, name: str) -> tuple[pd.DataFrame, Origin]:
        """A table with its origin; ValueError if it is damaged or from another run."""
        return read_table(self.results / name, self.origins[name])


def shown_run() -> Run:
    """
    The run that a notebook shows.

    That of the workflow that executes it (HDBWK_RUN); else that of the project's configuration, with the file that
    HDBWK_CONFIG names over it, from the project's folder.
    """
    if "HDBWK_RUN" in os.environ:
        run = json.loads(os.environ["HDBWK_RUN"])
        return Run(Path(run["results"]), Path(run["figures"]), run["origins"])
    root = find_root()
    plan = read_config(root, [str(root / file)] if (file := os.environ.get("HDBWK_CONFIG")) else [])
    return Run(root / plan.head.results, root / plan.head.figures, shown_origins(plan))
