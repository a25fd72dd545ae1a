"""Sparse linear regression, one row at a time: Algorithm 1, an online LASSO, and the baseline."""

from typing import TYPE_CHECKING

from hdbwk.core.lazy import lazily

if TYPE_CHECKING:
    from hdbwk.estimators.lasso import SequentialLasso
    from hdbwk.estimators.online_ht.regressor import OnlineHT
    from hdbwk.estimators.online_lasso.regressor import OnlineLasso
    from hdbwk.estimators.regressors import make_estimator

__all__ = ["OnlineHT", "OnlineLasso", "SequentialLasso", "make_estimator"]
__getattr__ = lazily(
    __name__,
    {
        "OnlineHT": "hdbwk.estimators.online_ht.regressor",
        "OnlineLasso": "hdbwk.estimators.online_lasso.regressor",
        "SequentialLasso": "hdbwk.estimators.lasso",
        "make_estimator": "hdbwk.estimators.regressors",
    },
)
