"""High-dimensional linear bandits with knapsacks: the reference replication of Ma, Xia and Jiang."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hdbwk.diagnostics import diagnose
    from hdbwk.estimators import OnlineHT
    from hdbwk.policies import InstanceInfo, make_policy
    from hdbwk.seeds import rng
    from hdbwk.simulation import simulate

__version__ = "0.1.0"
__all__ = ["InstanceInfo", "OnlineHT", "__version__", "diagnose", "make_policy", "rng", "simulate"]

_HOMES = {
    "InstanceInfo": "hdbwk.policies",
    "OnlineHT": "hdbwk.estimators",
    "diagnose": "hdbwk.diagnostics",
    "make_policy": "hdbwk.policies",
    "rng": "hdbwk.seeds",
    "simulate": "hdbwk.simulation",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used, so that a small job pays for no large library."""
    if name not in _HOMES:
        raise AttributeError(f"module 'hdbwk' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
