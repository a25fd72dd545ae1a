"""`hdbwk list`: what can be run, and what its parameters are."""

import textwrap

import yaml

from hdbwk.experiments.base import Experiment
from hdbwk.pipeline.config import Plan
from hdbwk.pipeline.parameters import described
from hdbwk.policies.registry import params_class, policy_class

SIZES = {"dim": "d", "sparsity": "s0", "n_arms": "K", "n_resources": "m", "horizon": "T", "trials": "trials"}


def overview(plan: Plan) -> str:
    """Every experiment with its sizes and methods; of a variant, the sizes that differ from those of its kind."""
    return "\n".join(_entry(spec, plan.experiments.get(spec.kind)) for spec in plan.experiments.values())


def details(spec: Experiment) -> str:
    """Every key of one experiment, as `--set` takes them."""
    keys = spec.model_dump(exclude={"name", *([] if getattr(spec, "sweep", None) else ["sweep"])})
    text = yaml.safe_dump(keys, sort_keys=False, default_flow_style=None, width=110)
    return f"{_entry(spec, None)}\n\n{text}".rstrip()


def policy_details(name: str) -> str:
    """What a policy is, and its parameters."""
    rows = described(params_class(name))
    lines = [f"  {key} = {default}: {meaning}; {allowed}" for key, meaning, allowed, default in rows]
    wrapped = (textwrap.fill(line.replace("\\|", "|"), 110, subsequent_indent="      ") for line in lines)
    return "\n".join([f"{name}: {policy_class(name).__doc__ or ''}".rstrip(), *wrapped])


def _entry(spec: Experiment, base: Experiment | None) -> str:
    variant = spec.kind != spec.name
    shown = {key: getattr(spec, key) for key in SIZES if hasattr(spec, key)}
    shown = {key: size for key, size in shown.items() if not variant or size != getattr(base, key, None)}
    sizes = ", ".join([spec.kind] * variant + [f"{SIZES[key]} = {size}" for key, size in shown.items()])
    methods = textwrap.fill(" ".join(spec.methods), 110, initial_indent="    ", subsequent_indent="    ")
    return f"{spec.name}: {sizes}\n{methods}"
