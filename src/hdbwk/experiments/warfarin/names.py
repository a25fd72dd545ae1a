"""What the policies are called in the figure, and which of them share a colour."""

from typing import Any

ESTIMATORS = {"online_ht": "Online HT", "online_lasso": "online LASSO"}
POLICIES = {
    "online_ht_bandit": "greedy {}",
    "primal_dual": "Algorithm 2, {}",
    "resolving": "Algorithm 4, {}",
    "th_lasso": "TH-Lasso",
    "lasso_bandit": "Lasso Bandit",
    "greedy_ridge": "greedy ridge",
    "lincbwk": "linCBwK, tuned",
    "fixed_arm": "always medium",
}
FAMILIES = {
    "online_ht_bandit": "greedy",
    "primal_dual": "online_ht",
    "resolving": "resolving",
    "th_lasso": "lasso",
    "lasso_bandit": "lasso",
    "greedy_ridge": "lincbwk",
    "lincbwk": "lincbwk",
}


def name_of(method: str, params: Any) -> str:
    """The policy and its estimator; the label where the policy is not of the list."""
    estimator = getattr(params, "estimator", None)
    return POLICIES.get(params.name, method).format(ESTIMATORS.get(getattr(estimator, "name", ""), ""))


def family_of(params: Any) -> str:
    """The colour."""
    return FAMILIES.get(params.name, "control")
