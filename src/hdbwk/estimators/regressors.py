"""Estimators by the names that the configuration uses."""

from typing import Any

from hdbwk.estimators.lasso import SequentialLasso
from hdbwk.estimators.online_ht.regressor import OnlineHT

ESTIMATORS: dict[str, type[OnlineHT] | type[SequentialLasso]] = {
    "online_ht": OnlineHT,
    "lasso": SequentialLasso,
}


def make_estimator(name: str, **params: Any) -> OnlineHT | SequentialLasso:
    """Build the estimator that the configuration calls `name`."""
    if name not in ESTIMATORS:
        raise ValueError(f"estimator {name!r} is unknown; there are {', '.join(sorted(ESTIMATORS))}")
    return ESTIMATORS[name](**params)
