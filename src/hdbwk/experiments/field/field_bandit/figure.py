"""Figure 7."""

from hdbwk.experiments.field.figure import curves, draw

__all__ = ["curves", "draw"]
