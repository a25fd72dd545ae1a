"""The parameters of Algorithm 1 in a configuration."""

from collections.abc import Callable, Iterator
from typing import Literal, Self

from pydantic import Field, model_validator

from hdbwk.core.spec import Positive, Size, Spec
from hdbwk.estimators.online_ht.steps import LINE_SEARCH, checked_step


class OnlineHTParams(Spec):
    """Parameters of `OnlineHTBank`; those of `hdbwk.OnlineHT` mean the same."""

    name: Literal["online_ht"] = "online_ht"
    sparsity: Size = Field(10, description="s0, non-zero entries of the estimates")
    working_sparsity: Size | None = Field(10, description="s, entries kept between rounds; null means 2 s0")
    step: Literal["normalized", "theory"] | Positive = Field("normalized", description="beta_t of Algorithm 1")
    kappa: Positive | None = Field(None, description="condition number, for `step: theory`")
    phi_max: Positive | None = Field(None, description="largest sparse eigenvalue, for `step: theory`")

    @model_validator(mode="after")
    def theory_knows_the_covariance(self) -> Self:
        """`step: theory` is a formula of kappa and phi_max."""
        checked_step(self.step, self.kappa, self.phi_max)
        return self

    def misfits(self, dim: int, largest_eigenvalue: Callable[[int], float]) -> Iterator[str]:
        """What does not go with contexts of a dimension, and a bound on E x x' on supports of a size."""
        for key in ("sparsity", "working_sparsity"):
            if (getattr(self, key) or 0) > dim:
                yield f"{key} = {getattr(self, key)} exceeds dim = {dim}"
        beta = checked_step(self.step, self.kappa, self.phi_max)
        largest = largest_eigenvalue(min(self.working_sparsity or 2 * self.sparsity, dim))
        if beta != LINE_SEARCH and beta * largest >= 1:
            yield f"step = {self.step!r} diverges: beta = {beta:g} must be below {1 / largest:.3g}"
