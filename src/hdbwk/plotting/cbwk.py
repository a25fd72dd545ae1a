"""Figure 3: bandits with knapsacks."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from hdbwk.plotting.regret import Params, curves, draw_regret

__all__ = ["curves", "draw", "family", "label"]


def draw(data: pd.DataFrame, spec: Mapping[str, Any], paths: Sequence[str | Path]) -> None:
    """Draw Figure 3 from its data."""
    draw_regret(data, spec, paths, family, label, height=4.0)


def family(params: Params) -> str:
    """The family of colours of a method; a refusal rule other than the paper's is lighter."""
    if params["name"] == "resolving":
        return "resolving" if params["exit_rule"] == "exit" else "resolving_skip"
    return {"primal_dual": "online_ht", "lincbwk": "lincbwk"}.get(params["name"], "control")


def label(method: str, params: Params) -> str:
    """The name of a method in a legend; for a policy of the user's own, that in the configuration."""
    if params["name"] == "primal_dual":
        return f"Online HT, $s_0' = {params['sparsity']}$"
    if params["name"] == "resolving":
        rule = "" if params["exit_rule"] == "exit" else " (skip)"
        return f"resolving{rule}, $s_0' = {params['sparsity']}$"
    if params["name"] == "lincbwk":
        return "linCBwK" if params["radius_scale"] == 1 else f"linCBwK, radius $\\times$ {params['radius_scale']:g}"
    return method
