"""What methods and laws of instances are called in the figures of the field, and their families."""

from typing import Any

INSTANCES = {
    "paper": "paper",
    "correlated": r"correlation $\alpha = 0.9$",
    "dense": "$s_0 = 30$",
    "weak": "weak signals, U[0, 1]",
    "heavy": "noise: Student's $t_3$",
    "two_groups": "TH-Lasso's hard instance",
    "nonnegative": "nonnegative consumption",
}
POLICIES = {
    "online_ht_bandit": "greedy",
    "primal_dual": "Alg. 2,",
    "resolving": "Alg. 4,",
    "square_cbwk": "SquareCBwK,",
}
ESTIMATORS = {"online_ht": "Online HT", "online_lasso": "online LASSO", "ridge": "ridge"}
FAMILIES = {"online_ht": "greedy", "online_lasso": "resolving", "ridge": "lincbwk"}


def name_of(method: str, params: Any) -> str:
    """The name of a method in a legend."""
    estimator = getattr(params, "estimator", None)
    if params.name not in POLICIES or estimator is None:
        return params.label(method)
    return f"{POLICIES[params.name]} {ESTIMATORS.get(estimator.name, estimator.name)}"


def family_of(params: Any) -> str:
    """The family, which has a colour: what the method estimates with."""
    estimator = getattr(params, "estimator", None)
    return params.family if estimator is None else FAMILIES.get(estimator.name, params.family)
