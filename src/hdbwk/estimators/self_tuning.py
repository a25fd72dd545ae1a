"""What regressors show of the sparsity that they chose."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hdbwk.core.validation import Floats, positive_int
from hdbwk.estimators.levels import Levels, checked_levels, chosen_sizes, mean_errors


def checked_sparsity(sparsity: Any, levels: Any) -> None:
    """ValueError for a sparsity that is neither "auto" nor an integer of at least 1, and for levels without "auto"."""
    checked_levels(levels)
    if isinstance(sparsity, str):
        if sparsity != "auto":
            raise ValueError(f'sparsity = {sparsity!r} must be "auto" or an integer of at least 1')
        return
    positive_int("sparsity", sparsity)
    if levels is not None:
        raise ValueError(f'levels = {levels!r} needs sparsity="auto", found sparsity = {sparsity!r}')


class SelfTuning:
    """A regressor with `levels`, of which it chooses one for each response if its sparsity is "auto"."""

    _params: dict[str, Any]
    _levels: Levels
    _rounds: int
    _y_ndim: int

    @property
    def sparsity_(self) -> Any:
        """s0 of each response, given or chosen; None where all entries are kept."""
        check_is_fitted(self)
        sparsity = self._params["sparsity"]
        if sparsity is None:
            return None
        sizes = chosen_sizes(self._levels) if sparsity == "auto" else np.full(self._levels.best.size, int(sparsity))
        return int(sizes[0]) if self._y_ndim == 1 else sizes

    @property
    def sparsity_path_(self) -> Any:
        """The level of each response after each round."""
        self._check_auto("sparsity_path_")
        path = self._levels.sizes[self._levels.path[: self._rounds]]
        return path[:, 0] if self._y_ndim == 1 else path

    @property
    def prequential_error_(self) -> Floats:
        """The mean squared one-step-ahead error of each level."""
        self._check_auto("prequential_error_")
        errors = mean_errors(self._levels)
        return errors[0] if self._y_ndim == 1 else errors

    def _check_auto(self, name: str) -> None:
        """Refuse what exists for several levels alone."""
        check_is_fitted(self)
        if self._params["sparsity"] != "auto":
            raise AttributeError(f'{name} needs sparsity="auto", found sparsity = {self._params["sparsity"]!r}')
