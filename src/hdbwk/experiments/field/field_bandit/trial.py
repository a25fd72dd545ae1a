"""A trial is that of Section 8.2."""

from hdbwk.experiments.bandit.trial import run, start

__all__ = ["run", "start"]
