"""Policies by the names that the configuration uses, or by a dotted path to a class of the user's."""

import contextlib
import importlib
from typing import Any

from hdbwk.policies.protocol import InstanceInfo, Policy

POLICIES = {
    "online_ht_bandit": "hdbwk.policies.online_ht_bandit:OnlineHTBandit",
    "primal_dual": "hdbwk.policies.primal_dual:PrimalDual",
    "resolving": "hdbwk.policies.resolving:Resolving",
    "lincbwk": "hdbwk.policies.lincbwk:LinCBwK",
    "lasso_etc": "hdbwk.policies.lasso_etc:LassoETC",
    "uniform": "hdbwk.policies.controls:Uniform",
    "oracle": "hdbwk.policies.controls:Oracle",
}


def policy_class(name: str) -> type[Policy]:
    """The class behind a registered name or a path ``package.module:Class``."""
    path = POLICIES.get(name, name)
    module, _, attribute = path.partition(":")
    if not attribute:
        raise ValueError(
            f"policy {name!r} is unknown; there are {', '.join(sorted(POLICIES))}, or give a path package.module:Class"
        )
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:  # a user's module may fail in any way
        hint = " (is its folder in PYTHONPATH?)" if isinstance(error, ModuleNotFoundError) else ""
        raise ValueError(f"policy {name!r} cannot be imported: {error!r}{hint}") from error
    if not isinstance(found, type) or not all(hasattr(found, part) for part in ("act", "update", "knows_horizon")):
        raise ValueError(f"policy {name!r} is no class with act, update and knows_horizon")
    return found


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
        The policy's own parameters.
    """
    build: Any = policy_class(name)
    try:
        policy = build(info, **params)
    except Exception as error:
        error.add_note(f"while building the policy {name!r}")
        raise
    if not hasattr(policy, "info"):
        with contextlib.suppress(AttributeError):  # a class with __slots__ has no room for it
            policy.info = info
    return policy
