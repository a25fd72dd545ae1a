"""Figure 2: the high-dimensional bandit."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from hdbwk.plotting.regret import curves, draw_regret

__all__ = ["curves", "draw"]


def draw(data: pd.DataFrame, spec: Any, paths: Sequence[str | Path]) -> None:
    """Draw Figure 2 from its data."""
    draw_regret(data, spec, paths)
