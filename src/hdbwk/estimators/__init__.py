"""Sparse linear regression, one row at a time: Algorithm 1 and its baseline."""

from typing import TYPE_CHECKING

from hdbwk.core.lazy import lazily

if TYPE_CHECKING:
    from hdbwk.estimators.lasso import SequentialLasso
    from hdbwk.estimators.online_ht import OnlineHT
    from hdbwk.estimators.regressors import make_estimator

__all__ = ["OnlineHT", "SequentialLasso", "make_estimator"]
__getattr__ = lazily(
    __name__,
    {
        "OnlineHT": "hdbwk.estimators.online_ht",
        "SequentialLasso": "hdbwk.estimators.lasso",
        "make_estimator": "hdbwk.estimators.regressors",
    },
)
