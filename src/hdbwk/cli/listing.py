"""`hdbwk list`: what can be run."""

import textwrap
from collections.abc import Mapping
from typing import Any

import yaml

from hdbwk.pipeline import config as settings

SIZES = {"dim": "d", "sparsity": "s0", "n_arms": "K", "n_resources": "m", "horizon": "T", "trials": "trials"}


def overview(config: Mapping[str, Any]) -> str:
    """Every experiment with its sizes and methods; of a variant, the sizes that differ from its base."""
    specs = [settings.experiment(config, name) for name in settings.experiment_names(config)]
    return "\n".join(_entry(spec, config.get(spec["kind"], {})) for spec in specs)


def details(spec: Mapping[str, Any]) -> str:
    """Every key of one experiment, as `--set` takes them."""
    keys = {key: value for key, value in spec.items() if key not in ("kind", "name")}
    text = yaml.safe_dump(keys, sort_keys=False, default_flow_style=None, width=110)
    return f"{_entry(spec, {})}\n\n{text}".rstrip()


def _entry(spec: Mapping[str, Any], base: Mapping[str, Any]) -> str:
    variant = spec["kind"] != spec["name"]
    shown = [key for key in SIZES if key in spec and not (variant and spec[key] == base.get(key))]
    sizes = ", ".join([spec["kind"]] * variant + [f"{SIZES[key]} = {spec[key]}" for key in shown])
    methods = textwrap.fill(" ".join(spec["methods"]), 110, initial_indent="    ", subsequent_indent="    ")
    return f"{spec['name']}: {sizes}\n{methods}"
