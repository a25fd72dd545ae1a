"""The fluid programme: its value, its prices, and the dual around them."""

from functools import partial
from typing import Any

import numpy as np

from hdbwk.ledgers.rates_row import Array, Power, Rate, renamed, rounds

DUAL = partial(Rate, "fluid programme")


def logarithm(_: Any, T: Array) -> Array:
    """log T."""
    return np.log(T)


ROWS = (
    DUAL(
        "Theorem est-dual-convergence",
        3920,
        "error of the prices",
        "t",
        "rates_dual",
        rounds("rates_dual", "learning", "price_error"),
        Power(-1 / 2),
        departs="at rho_0 alone; estimates from uniform pulls",
    ),
    DUAL(
        "Lemma estimateV",
        1940,
        "relative error of V-hat",
        "T0",
        "rates_dual",
        rounds("rates_dual", "learning", "value_error"),
        Power(-1 / 2),
        departs="delta = 0",
    ),
    DUAL(
        "Lemma estimateV",
        1948,
        "Z-hat C_min / V_UB at the largest T0",
        "T0",
        "rates_dual",
        rounds("rates_dual", "learning", "ratio"),
        lambda spec, size: 2.0 + 0 * size,
        measures="level",
    ),
    DUAL(
        "control",
        0,
        "error of the prices, learning stopped",
        "t",
        "rates_dual",
        rounds("rates_dual", "frozen", "price_error"),
        Power(-1 / 2),
        control=True,
    ),
    DUAL(
        "Lemma Upperbound",
        284,
        "V_off / V_UB",
        "T",
        "rates_offline",
        rounds("rates_offline", "hindsight", "ratio"),
        Power(0.0),
        measures="level",
    ),
    DUAL(
        "control",
        0,
        "the same with 1.2 times the capacities",
        "T",
        "rates_offline",
        rounds("rates_offline", "generous", "ratio"),
        Power(0.0),
        control=True,
        measures="level",
    ),
    DUAL(
        "Degenerate problems",
        914,
        "V_UB - V_off, not degenerate",
        "T",
        "rates_offline",
        rounds("rates_offline", "hindsight", "gap"),
        logarithm,
    ),
    DUAL(
        "Degenerate problems",
        914,
        "V_UB - V_off, all capacities degenerate, contexts with a density",
        "T",
        "rates_offline",
        rounds("rates_offline", "degenerate", "gap"),
        logarithm,
    ),
    DUAL(
        "control",
        0,
        "the same, contexts with 20 values: the hard case, of order sqrt(T)",
        "T",
        "rates_offline",
        rounds("rates_offline", "atoms", "gap"),
        logarithm,
        control=True,
    ),
    DUAL(
        "Lemma smoothness",
        866,
        "change of the gradient of D at distance r from lam*",
        "1/r",
        "rates_local",
        rounds("rates_local", "density", "gradient_change"),
        Power(-1.0),
    ),
    DUAL(
        "control",
        0,
        "the same, contexts with 120 values",
        "1/r",
        "rates_local",
        rounds("rates_local", "atoms", "gradient_change"),
        Power(-1.0),
        control=True,
    ),
    DUAL(
        "Remark on the local conditions",
        838,
        "change of lam*(rho) at distance r from rho_0",
        "1/r",
        "rates_local",
        rounds("rates_local", "density", "price_change"),
        Power(-1.0),
    ),
    DUAL(
        "Lemma region-B+",
        904,
        "binding sets within delta'_rho of rho_0",
        "1/r",
        "rates_local",
        rounds("rates_local", "density", "binding_sets_inside"),
        Power(0.0),
        measures="level",
    ),
    DUAL(
        "control",
        0,
        "binding sets at 0.16 mean(rho_0) from rho_0",
        "r",
        "rates_local",
        renamed(rounds("rates_local", "density", "binding_sets"), lambda size: 1 / size),
        Power(0.0),
        control=True,
        measures="level",
    ),
)
