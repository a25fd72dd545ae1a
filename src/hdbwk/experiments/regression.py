"""Estimators as methods of an experiment: what Figure 1 and the measurement of costs share."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from hdbwk.core.spec import Label, Number, Positive, Size, Spec
from hdbwk.environments.recovery import RecoveryInstance
from hdbwk.estimators.registry import OnlineHTParams
from hdbwk.experiments.base import Experiment


class OnlineHTMethod(OnlineHTParams):
    """Algorithm 1."""

    family: ClassVar[str] = "online_ht"
    engine: Literal["auto", "gram", "active"] = Field(
        "auto",
        description="how `OnlineHT` computes its rounds: with the whole d x d matrix of the paper, with the few "
        "columns that supports need, or the cheaper of both; the numbers agree to 1e-8",
    )

    def label(self, _method: str) -> str:
        """The name in legends."""
        return "Online HT, $s$ chosen" if self.sparsity == "auto" else f"Online HT, $s = {self.working_sparsity}$"


class LassoMethod(Spec):
    """LASSO, solved anew on all rows at each reading."""

    family: ClassVar[str] = "lasso"
    name: Literal["lasso"] = "lasso"
    scale: Positive = Field(1.0, description="c of lambda_t = c sqrt(log(d t) / t)")
    tol: Number = Field(1e-6, ge=1e-12, le=1, description="the solver stops at a duality gap of tol \\|y\\|^2 / t")
    max_iter: Size = Field(10_000, description="or after so many sweeps, which is counted and shown")

    def label(self, _method: str) -> str:
        """The name in legends."""
        return f"LASSO, $c = {self.scale:g}$"


class Regression(Experiment):
    """Estimators on streams of rows with one response."""

    methods: dict[Label, Annotated[OnlineHTMethod | LassoMethod, Field(discriminator="name")]] = Field(
        description="label -> estimator, see below"
    )

    def instance(self, trial: int, seed: int) -> RecoveryInstance:
        """The instance of a trial."""
        return RecoveryInstance.draw(self.generator(seed, trial, "instance"), **self.shared())
