"""What a schema cannot say of an experiment: relations between keys, and what no machine could run."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from hdbwk.estimators.steps import LINE_SEARCH, checked_step
from hdbwk.policies.registry import POLICIES, policy_class

MEMORY = 16  # GiB that one job may need
JOBS = 20_000  # that one experiment may plan
NO_POLICIES = {  # kind of experiment -> registered policies that are made for another
    "bandit": ("primal_dual", "resolving", "lincbwk"),
    "cbwk": ("online_ht_bandit", "lasso_etc"),
}
Spec = Mapping[str, Any]


def impossible(spec: Spec, config: Spec) -> Iterator[str]:
    """One line, with its key, for each fault of an experiment that fits the schema."""
    name = spec["name"]
    if spec["sparsity"] > spec["dim"]:
        yield f"{name}.sparsity = {spec['sparsity']} exceeds {name}.dim = {spec['dim']}"
    if spec["every"] > spec["horizon"]:
        yield f"{name}.every = {spec['every']} exceeds {name}.horizon = {spec['horizon']}"
    for key in sorted({"signal", "consumption", "capacity"} & set(spec)):
        low, high = spec[key]["low"], spec[key]["high"]
        if low > high:
            yield f"{name}.{key}.low = {low} exceeds {name}.{key}.high = {high}"
    if spec["kind"] == "cost" and spec["every"] >= spec["horizon"] // 16:
        yield f"{name}.every = {spec['every']} must be below a sixteenth of {name}.horizon = {spec['horizon']}"
    if not spec["methods"]:
        yield f"{name}.methods is empty"
    for method, params in spec["methods"].items():
        yield from _impossible_method(f"{name}.methods.{method}", params, spec)
    yield from _too_large(spec)
    paired = name in config["sensitivity"] and spec["kind"] != "recovery"
    if paired and not set(_horizons(spec)) & set(_horizons(config[spec["kind"]])):
        yield f"{name}.horizon = {spec['horizon']} and {name}.horizons share no horizon with {spec['kind']}"


def memory(spec: Spec) -> float:
    """GiB that a job of an experiment needs, roughly: its rounds, and a d x d matrix for each arm."""
    dim, arms = spec["dim"], spec.get("n_arms", 1)
    outputs = spec.get("n_outputs", 1) + spec.get("n_resources", 0)
    rounds = max(*_horizons(spec), 10_000 if "n_resources" in spec else 1)  # contexts of V_UB come in 10,000s
    return 8 * (arms * dim * (dim + 3 * outputs) + rounds * (2 * dim + 4 * arms * outputs)) / 2**30


def _horizons(spec: Spec) -> list[int]:
    return [spec["horizon"], *spec.get("horizons", [])]


def _too_large(spec: Spec) -> Iterator[str]:
    """What would fill the memory, or the plan of the jobs."""
    name = spec["name"]
    if memory(spec) > MEMORY:
        sizes = (f"{name}.{key} = {spec[key]}" for key in ("dim", "horizon", "n_arms", "n_resources") if key in spec)
        yield f"{', '.join(sizes)}: a job would need {memory(spec):.0f} GiB, more than {MEMORY}"
    trials, per_job = spec["trials"], spec["trials_per_job"]
    jobs = -(-trials // per_job) * len(spec["methods"])
    if jobs > JOBS:
        yield f"{name}.trials = {trials}, {name}.trials_per_job = {per_job}: {jobs} jobs, more than {JOBS}"


def _impossible_method(place: str, params: Spec, spec: Spec) -> Iterator[str]:
    """What is wrong with one method."""
    if spec["kind"] in NO_POLICIES:
        yield from _unfit_policy(place, params, spec["kind"])
    if spec["kind"] in NO_POLICIES and params["name"] not in POLICIES:
        return  # the parameters of a user's policy are the user's own
    for key in ("sparsity", "working_sparsity"):
        if isinstance(params.get(key), int) and params[key] > spec["dim"]:
            yield f"{place}.{key} = {params[key]} exceeds dim = {spec['dim']}"
    if params.get("Z") == "estimated" and params["explore"] < 1:
        yield f"{place}: Z = 'estimated' needs explore of at least 1"
    if params.get("step") == "theory" and not (params.get("kappa") and params.get("phi_max")):
        yield f"{place}: step = 'theory' needs kappa and phi_max"
    elif "step" in params:
        yield from _diverging(place, params, spec)


def _unfit_policy(place: str, params: Spec, kind: str) -> Iterator[str]:
    """A policy that is none, or does not take these parameters."""
    if params["name"] in NO_POLICIES[kind]:
        yield f"{place}.name = {params['name']!r} is no policy for {kind}"
        return
    own = {key: value for key, value in params.items() if key != "name" and (key, kind) != ("exit_rule", "cbwk")}
    try:
        inspect.signature(policy_class(params["name"])).bind(None, **own)
    except ValueError as error:
        yield f"{place}.name: {error}"
    except TypeError as error:
        yield f"{place}: {params['name']} {error}"


def _diverging(place: str, params: Spec, spec: Spec) -> Iterator[str]:
    """A constant step times the largest eigenvalue of E x x', on the support that is kept, must be below 1."""
    step = checked_step(params["step"], params.get("kappa"), params.get("phi_max"))
    working = min(params["working_sparsity"] or 2 * params["sparsity"], spec["dim"])
    alpha = abs(spec["correlation"])
    largest = working / 3 if spec.get("nonnegative") else min((1 + alpha) / (1 - alpha), working)
    if step != LINE_SEARCH and step * largest >= 1:
        yield f"{place}.step = {params['step']!r} diverges: beta = {step:g} must be below {1 / largest:.3g}"
