"""Figure 8."""

from hdbwk.experiments.field.figure import curves, draw

__all__ = ["curves", "draw"]
