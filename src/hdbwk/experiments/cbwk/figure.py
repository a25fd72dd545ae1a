"""Figure 3: regret over rounds, and over horizons."""

from hdbwk.plotting.regret import curves, draw

__all__ = ["curves", "draw"]
