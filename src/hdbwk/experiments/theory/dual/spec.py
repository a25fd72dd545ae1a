"""Theorem est-dual-convergence, Lemma estimateV: what the first rounds tell of the fluid programme."""

from typing import ClassVar, Literal

from pydantic import Field

from hdbwk.core.spec import Label, Shown, Size
from hdbwk.experiments.cbwk.law import Knapsacks
from hdbwk.policies.parts.learner import Estimator, LearnerParams


class UniformPulls(Shown):
    """Learning under uniform pulls."""

    renamed: ClassVar = LearnerParams.renamed
    name: Literal["uniform"] = Field(description="uniform pulls")
    frozen_after: Size | None = Field(None, description="rounds after which the learning stops: the control")
    estimator: Estimator = Field(description="what the arms are estimated by: a name with its parameters")


class Dual(Knapsacks):
    """The fluid programme with the estimates of the first `horizons` rounds under uniform pulls."""

    kind = "dual"
    methods: dict[Label, UniformPulls] = Field(description="label -> how long is learnt")
