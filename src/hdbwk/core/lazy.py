"""Public names that are imported when they are first used, so that a small job pays for no large library."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """
    A ``__getattr__`` for a package that re-exports names from their home modules.

    Examples
    --------
    >>> lazily("hdbwk", {"rng": "hdbwk.core.seeds"})("rng").__module__
    'hdbwk.core.seeds'
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(homes[name]), name)

    return get
