"""The loop: a policy meets the stream of a trial."""

from hdbwk.simulation.loop import PolicyError, Record, simulate

__all__ = ["PolicyError", "Record", "simulate"]
