"""High-dimensional linear bandits with knapsacks: the reference replication of Ma, Xia and Jiang."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hdbwk.estimators import OnlineHT
    from hdbwk.seeds import rng

__version__ = "0.1.0"
__all__ = ["OnlineHT", "__version__", "rng"]

_HOMES = {"OnlineHT": "hdbwk.estimators", "rng": "hdbwk.seeds"}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used, so that a small job pays for no large library."""
    if name not in _HOMES:
        raise AttributeError(f"module 'hdbwk' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
