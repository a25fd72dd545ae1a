"""The rates that the paper proves, and for each family a control that must fail."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from hdbwk.ledgers.trials import Trials
from hdbwk.metrics.summary import Interval, growth_exponent, mean_interval, quantile_interval

Measure = Callable[[pd.DataFrame, np.random.Generator], Interval]


@dataclass(frozen=True)
class Rate:
    """
    One rate: where it is proved, what is set against what, and the bound on the exponent.

    Attributes
    ----------
    family, result, says : str
        Kind of statement, its name in the paper, what is measured.
    axis : str
        What the sizes are. "log d" stands for sizes log d: an exponent of 1 is a bound proportional to log d.
    bound : float
        The largest exponent (or value) that the paper allows.
    read : callable
        From the trials to one row for each trial and one column for each size.
    control : bool
        Whether the row must come out as not reproduced.
    measure : callable
        What is compared with the bound; by default the exponent of the mean in the size.
    tolerance : str
        The key of `ledgers` that is added to the bound; none if empty.
    """

    family: str
    result: str
    says: str
    axis: str
    bound: float
    read: Callable[[Trials], pd.DataFrame]
    control: bool = False
    measure: Measure = growth_exponent
    tolerance: str = "tolerance"


def rounds(experiment: str, method: str, column: str = "regret") -> Callable[[Trials], pd.DataFrame]:
    """A column over the horizons of one experiment."""
    return lambda trials: trials.over_horizons(experiment, method, column)


def swept(label: str, method: str, column: str = "regret") -> Callable[[Trials], pd.DataFrame]:
    """A column over the values of a sweep."""
    return lambda trials: trials.over_sweep(label, method, column)


def late_regret(label: str, method: str) -> Callable[[Trials], pd.DataFrame]:
    """The regret between the shortest and the longest horizon over a sweep: without the first rounds of learning."""
    return lambda trials: trials.late(label, method)


def inverse_probability(trials: Trials) -> pd.DataFrame:
    """The final error over 1/p."""
    methods = {1: "always", 2: "half", 4: "quarter", 8: "eighth"}
    return pd.DataFrame(
        {size: trials.longest("rates_estimation", method, "mean_error") for size, method in methods.items()}
    )


ESTIMATION = partial(Rate, "estimation")
BANDIT = partial(Rate, "bandit")
KNAPSACKS = partial(Rate, "knapsacks")
RESOLVING = partial(Rate, "resolving")
DUAL = partial(Rate, "fluid programme")
DIMENSION = partial(Rate, "dimension")
COST = partial(Rate, "cost")
ERROR, LARGEST, TIME = "mean_error", "largest_error", "seconds_per_round"
T23, T12 = 2 / 3, 1 / 2

RATES = (
    ESTIMATION("Theorem sparse-est", "error, p = 1", "t", -1, rounds("rates_estimation", "always", ERROR)),
    ESTIMATION("Theorem sparse-est", "error, p_j = j^(-1/3)", "t", -T23, rounds("rates_estimation", "third", ERROR)),
    ESTIMATION("Theorem sparse-est", "error, constant p", "1/p", 1, inverse_probability),
    ESTIMATION("Theorem sparse-est", "error", "s0", 1, swept("estimation_sparsity", "always", ERROR)),
    ESTIMATION("Theorem sparse-est", "error", "log d", 1, swept("estimation_dim", "always", ERROR)),
    ESTIMATION(
        "Corollary uniform-est", "largest error of K arms", "log K", 1, swept("estimation_arms", "sixteenth", LARGEST)
    ),
    ESTIMATION(
        "Proposition sparse-est-W", "largest error of m rows", "log m", 1, swept("estimation_rows", "always", LARGEST)
    ),
    ESTIMATION(
        "Theorem sparse-est-divcov",
        "largest error, greedy pulls",
        "t",
        -1,
        rounds("rates_estimation_greedy", "greedy", LARGEST),
    ),
    ESTIMATION("control", "error with s < s0", "t", -1, rounds("rates_estimation", "too_sparse", ERROR), control=True),
    BANDIT(
        "Theorem bandit-poor",
        "regret, eps ~ t^(-1/3), d > T^(1/3) s0^(4/3)",
        "T",
        T23,
        rounds("rates_bandit_poor", "third"),
    ),
    BANDIT("Theorem bandit-rich", "regret, eps = 0", "T", T12, rounds("bandit", "greedy_s10")),
    BANDIT(
        "Theorem bandit-poor",
        "regret after the first rounds, R_max ~ s0^(1/2)",
        "s0",
        5 / 6,
        late_regret("bandit_sparsity", "third"),
    ),
    BANDIT("Theorem bandit-rich", "regret after the first rounds", "s0", T12, late_regret("bandit_sparsity", "greedy")),
    BANDIT("control", "regret, uniform policy", "T", T23, rounds("bandit", "uniform"), control=True),
    BANDIT("control", "regret, constant eps", "T", T23, rounds("rates_bandit_poor", "constant"), control=True),
    KNAPSACKS(
        "Theorems Primaldual, BwK-regret-1",
        "regret, eps ~ t^(-1/3)",
        "T",
        T23,
        rounds("rates_cbwk_exploration", "third"),
    ),
    KNAPSACKS("Theorem BwK-regret-2", "regret, eps = 0", "T", T12, rounds("cbwk", "primal_dual_s10")),
    KNAPSACKS("Theorem sqrt-margin", "regret, eps ~ t^(-1/2)", "T", T12, rounds("rates_cbwk_exploration", "half")),
    KNAPSACKS("control", "regret, constant eps", "T", T23, rounds("rates_cbwk_exploration", "constant"), control=True),
    RESOLVING("Theorem resolving-regret", "regret", "log T", 2, rounds("cbwk", "resolving_s10")),
    RESOLVING("Theorem resolving-regret", "regret, rule skip", "log T", 2, rounds("cbwk", "resolving_skip_s10")),
    RESOLVING(
        "Theorem resolving-regret",
        "regret falls below sqrt(T)",
        "T",
        T12,
        rounds("cbwk", "resolving_s10"),
        tolerance="",
    ),
    RESOLVING("Theorem resolving-regret", "regret", "m", 2, swept("cbwk_resources", "resolving_s10")),
    RESOLVING(
        "control", "regret, constant eps", "log T", 2, rounds("rates_cbwk_exploration", "constant"), control=True
    ),
    DUAL(
        "Theorem est-dual-convergence",
        "error of the prices",
        "t",
        -T12,
        rounds("rates_dual", "learning", "price_error"),
    ),
    DUAL("Lemma estimateV", "relative error of V-hat", "T0", -T12, rounds("rates_dual", "learning", "value_error")),
    DUAL(
        "control",
        "error of the prices, learning stopped",
        "t",
        -T12,
        rounds("rates_dual", "frozen", "price_error"),
        control=True,
    ),
    DUAL(
        "Lemma estimateV",
        "95% quantile of Z-hat C_min / V_UB at the largest T0",
        "T0",
        0,
        rounds("rates_dual", "learning", "ratio"),
        measure=quantile_interval,
        tolerance="ratio_bound",
    ),
    DUAL(
        "Lemma Upperbound",
        "mean V_off / V_UB - 1",
        "T",
        0,
        rounds("rates_offline", "hindsight", "excess"),
        measure=mean_interval,
        tolerance="offline_tolerance",
    ),
    DUAL(
        "control",
        "the same with 1.2 times the capacities",
        "T",
        0,
        rounds("rates_offline", "generous", "excess"),
        control=True,
        measure=mean_interval,
        tolerance="offline_tolerance",
    ),
    DIMENSION("Theorem BwK-regret-2", "regret of Algorithm 2", "log d", 1, swept("cbwk_dim", "primal_dual_s10")),
    DIMENSION("Theorem resolving-regret", "regret of Algorithm 4", "log d", 1, swept("cbwk_dim", "resolving_s10")),
    # Tuned: with the radius of its paper the regret is so large from d = 200 on that it has no room left to grow.
    DIMENSION("control", "regret of linCBwK, tuned", "log d", 1, swept("cbwk_dim", "lincbwk_tuned"), control=True),
    COST("Section 4, complexity", "seconds for a round", "d", 2, swept("cost_dim", "online_ht_s20", TIME)),
    COST("Section 4, complexity", "seconds for a round", "t", 0, rounds("rates_cost_rounds", "online_ht_s20", TIME)),
    COST("control", "seconds for a LASSO refit", "t", 0, rounds("rates_cost_rounds", "lasso_c1", TIME), control=True),
)
