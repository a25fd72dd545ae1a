"""Sparse linear regression, one row at a time: Algorithm 1 and its baseline."""

from hdbwk.estimators.lasso import SequentialLasso
from hdbwk.estimators.online_ht import OnlineHT
from hdbwk.estimators.registry import make_estimator

__all__ = ["OnlineHT", "SequentialLasso", "make_estimator"]
