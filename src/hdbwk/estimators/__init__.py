"""Sparse linear regression, one row at a time: Algorithm 1, an online LASSO, and the baseline."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
