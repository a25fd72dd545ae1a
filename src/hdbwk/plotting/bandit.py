"""Figure 2: the high-dimensional bandit."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from hdbwk.plotting.regret import Params, curves, draw_regret

__all__ = ["curves", "draw", "family", "label"]


def draw(data: pd.DataFrame, spec: Mapping[str, Any], paths: Sequence[str | Path]) -> None:
    """Draw Figure 2 from its data."""
    draw_regret(data, spec, paths, family, label)


def family(params: Params) -> str:
    """The family of colours of a method."""
    if params["name"] == "online_ht_bandit":
        return "greedy" if params["epsilon"] == 0 else "online_ht"
    return {"lasso_etc": "lasso"}.get(params["name"], "control")


def label(method: str, params: Params) -> str:
    """The name of a method in a legend; for a policy of the user's own, that in the configuration."""
    if params["name"] == "online_ht_bandit":
        kind = "greedy" if params["epsilon"] == 0 else r"$\epsilon$-greedy"
        return f"{kind}, $s_0' = {params['sparsity']}$"
    if params["name"] == "lasso_etc":
        unit = "an arm" if params["unit"] == "per_arm" else "in all"
        return f"LASSO, ${params['explore']:g}\\,T^{{2/3}}$ {unit}"
    return method
