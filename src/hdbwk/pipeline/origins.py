"""What tables say of where they come from: seed, version, and a digest of what decides their numbers."""

import hashlib
import json
from typing import Any

from hdbwk import __version__
from hdbwk.experiments.base import Experiment
from hdbwk.pipeline.config import Plan
from hdbwk.pipeline.tables import Origin


def digest(value: Any) -> str:
    """A short name for a configuration."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def origin(spec: Experiment, method: str, seed: int) -> Origin:
    """What a chunk of results says of where it comes from."""
    return {"method": method, "seed": seed, "version": __version__, "config": digest(spec.job(method))}


def table_origin(spec: Experiment, table: str, seed: int) -> Origin:
    """What a table of all methods of an experiment says of where it comes from."""
    config = digest({name: spec.job(name) for name in spec.methods})
    origin: Origin = {"seed": seed, "version": __version__, "config": config}
    return {**origin, "trials": spec.trials} if table == "trials" else origin


def shown_origins(plan: Plan) -> dict[str, Origin]:
    """What the tables behind the figures must say of where they come from, by their paths among the results."""
    shown = [(name, plan.experiments[name]) for name in plan.shown]
    return {
        f"{name}/{table}.parquet": table_origin(spec, table, plan.seed)
        for name, spec in shown
        for table in {table for figure in spec.figures().values() for table in figure.tables}
    }
