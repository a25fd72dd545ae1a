"""A trial is that of Section 8.3."""

from hdbwk.experiments.cbwk.trial import run, start

__all__ = ["run", "start"]
