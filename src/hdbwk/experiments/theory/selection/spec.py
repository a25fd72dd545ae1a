"""Section 4: the sparsity by validation or by stability, where it is not known."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from hdbwk.core.spec import Label, Shown, Size, UnitInterval, distinct
from hdbwk.environments.recovery import RecoveryInstance
from hdbwk.experiments.base import Experiment


class Choice(Shown):
    """How the sparsity of Online HT is chosen."""

    name: Literal["known", "validation", "stability"] = Field(
        description="`known` is told s0; `validation` takes what predicts the last rows best; `stability` the largest "
        "sparsity at which the supports of two halves of the rows agree"
    )
    candidates: Annotated[list[Size], AfterValidator(distinct)] = Field(
        [2, 5, 10, 20, 40], description="sparsities that are tried"
    )
    held_out: UnitInterval = Field(0.25, description="share of the rows, the last, that `validation` predicts")
    agreement: UnitInterval = Field(0.9, description="share of the support that must agree for `stability`")


class Selection(Experiment):
    """The error of Online HT, with s = 2 s0, for a sparsity that the rows themselves choose."""

    kind = "selection"
    seeds = "recovery"
    methods: dict[Label, Choice] = Field(description="label -> rule")

    def instance(self, trial: int, seed: int) -> RecoveryInstance:
        """The instance of a trial."""
        return RecoveryInstance.draw(self.generator(seed, trial, "instance"), **self.shared())
