"""The loops: a method meets the stream of a trial."""

from hdbwk.simulation.loop import PolicyError, Record, simulate
from hdbwk.simulation.recovery import recover

__all__ = ["PolicyError", "Record", "recover", "simulate"]
