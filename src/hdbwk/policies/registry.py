"""Policies by the names of their files, or by a dotted path to a class of the user's."""

import contextlib
import importlib
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hdbwk.core.spec import refusals
from hdbwk.policies.parts.params import FreeParams, PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo, Policy

POLICIES = tuple(sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py") if file.stem != "registry"))


def policy_class(name: str) -> type[Policy]:
    """The class in the file of that name in this folder, or behind a path ``package.module:Class``."""
    module, _, attribute = name.partition(":")
    if name in POLICIES:
        return _only_policy(name)
    if not attribute:
        known = ", ".join(POLICIES)
        raise ValueError(f"policy {name!r} is unknown; there are {known}, or give a path package.module:Class")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:  # a user's module may fail in any way
        hint = " (is its folder in PYTHONPATH?)" if isinstance(error, ModuleNotFoundError) else ""
        raise ValueError(f"policy {name!r} cannot be imported: {error!r}{hint}") from error
    if not _is_policy(found):
        raise ValueError(f"policy {name!r} is not a class with act, update and knows_horizon")
    return found


@cache
def _only_policy(name: str) -> type[Policy]:
    """The policy that a file of this folder defines."""
    module = importlib.import_module(f"hdbwk.policies.{name}")
    (found,) = (part for part in vars(module).values() if _is_policy(part) and part.__module__ == module.__name__)
    return found


def _is_policy(part: Any) -> bool:
    return isinstance(part, type) and all(hasattr(part, name) for name in ("act", "update", "knows_horizon"))


def params_class(name: str) -> type[PolicyParams]:
    """The parameters of a policy; any at all if a class of the user's does not say."""
    params = getattr(policy_class(name), "Params", None)
    return params if isinstance(params, type) and issubclass(params, PolicyParams) else FreeParams


def make_policy(name: str, info: InstanceInfo, **params: Any) -> Policy:
    """
    Build a policy.

    Parameters
    ----------
    name : str
        A registered name, or ``package.module:Class`` for a policy of your own.
    info : InstanceInfo
        What the policy knows of its task; kept as ``policy.info``, for `simulate` to compare with the stream.
    **params
        The policy's own parameters, see its ``Params``.
    """
    build: Any = policy_class(name)
    try:
        policy = build(info, **params)
    except Exception as error:
        if isinstance(error, ValidationError):
            error = ValueError("\n".join(refusals(error, params, "")))
        error.add_note(f"while building the policy {name!r}")
        raise error
    if not hasattr(policy, "info"):
        with contextlib.suppress(AttributeError):  # a class with __slots__ has no room for it
            policy.info = info
    return policy
