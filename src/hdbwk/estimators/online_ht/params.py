"""The parameters of Algorithm 1 in a configuration."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from hdbwk.core.spec import Positive, Size, Sizes, Spec
from hdbwk.estimators.levels import LEVELS, checked_levels, faults_of_levels
from hdbwk.estimators.online_ht.steps import LINE_SEARCH, checked_step


class OnlineHTParams(Spec):
    """Parameters of `OnlineHTBank`; those of `hdbwk.OnlineHT` mean the same."""

    name: Literal["online_ht"] = "online_ht"
    sparsity: Size | Literal["auto"] = Field(
        10, description="s0, non-zero entries of the estimates; `auto` chooses the best of `levels`"
    )
    working_sparsity: Size | None = Field(10, description="s, entries kept between rounds; null means 2 s0")
    step: Literal["normalized", "theory"] | Positive = Field("normalized", description="beta_t of Algorithm 1")
    kappa: Positive | None = Field(None, description="condition number, for `step: theory`")
    phi_max: Positive | None = Field(None, description="largest sparse eigenvalue, for `step: theory`")
    levels: Sizes | None = Field(None, description=f"what `sparsity: auto` chooses s0 = s from; null means {LEVELS}")

    @model_validator(mode="before")
    @classmethod
    def auto_has_no_working_sparsity(cls, data: Any) -> Any:
        """Each level is its own."""
        automatic = isinstance(data, Mapping) and data.get("sparsity") == "auto"
        return {"working_sparsity": None, **data} if automatic else data

    @model_validator(mode="after")
    def theory_knows_the_covariance(self) -> Self:
        """`step: theory` is a formula of kappa and phi_max."""
        checked_step(self.step, self.kappa, self.phi_max)
        return self

    def faults(self) -> Iterator[str]:
        """What `auto` does not go with."""
        if self.sparsity == "auto" and self.working_sparsity is not None:
            yield f"@working_sparsity = {self.working_sparsity} must be null if @sparsity is 'auto'"
        yield from faults_of_levels(self.sparsity, self.levels)

    def misfits(self, dim: int, largest_eigenvalue: Callable[[int], float]) -> Iterator[str]:
        """What does not go with contexts of a dimension, and a bound on E x x' on supports of a size."""
        if self.sparsity == "auto":
            yield from self._misfits_of_levels(dim, largest_eigenvalue)
            return
        for key in ("sparsity", "working_sparsity"):
            if (getattr(self, key) or 0) > dim:
                yield f"{key} = {getattr(self, key)} exceeds dim = {dim}"
        yield from self._diverges(largest_eigenvalue(min(self.working_sparsity or 2 * self.sparsity, dim)))

    def _misfits_of_levels(self, dim: int, largest_eigenvalue: Callable[[int], float]) -> Iterator[str]:
        levels = checked_levels(self.levels)
        if self.levels and levels[0] > dim:
            yield f"levels = {self.levels} exceed dim = {dim}"
        yield from self._diverges(largest_eigenvalue(min(levels[-1], dim)))

    def _diverges(self, largest: float) -> Iterator[str]:
        beta = checked_step(self.step, self.kappa, self.phi_max)
        if beta != LINE_SEARCH and beta * largest >= 1:
            yield f"step = {self.step!r} diverges: beta = {beta:g} must be below {1 / largest:.3g}"
