"""What the instances of all three sections are drawn from."""

from collections.abc import Mapping
from typing import Any

from hdbwk.environments.signals import SignalLaw

SHARED = ("dim", "sparsity", "noise", "correlation", "bound")


def shared_law(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that the `draw` of every environment takes, from the configuration of an experiment."""
    return {**{key: spec[key] for key in SHARED}, "signal": SignalLaw(**spec["signal"])}
