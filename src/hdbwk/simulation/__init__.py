"""The loops: a method meets the stream of a trial."""

from typing import TYPE_CHECKING

from hdbwk.core.lazy import lazily
from hdbwk.simulation.loop import PolicyError, Record, simulate

if TYPE_CHECKING:
    from hdbwk.simulation.recovery import recover

__all__ = ["PolicyError", "Record", "recover", "simulate"]
__getattr__ = lazily(__name__, {"recover": "hdbwk.simulation.recovery"})
