"""Theorem est-dual-convergence, Lemma estimateV: what the first rounds tell of the fluid programme."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from hdbwk.core.spec import Label, Size, Spec
from hdbwk.experiments.base import Experiment, Horizons
from hdbwk.experiments.cbwk.law import KnapsackLaw
from hdbwk.policies.parts.learner import Estimator, LearnerParams

if TYPE_CHECKING:
    import pandas as pd


class UniformPulls(Spec):
    """Learning under uniform pulls."""

    renamed: ClassVar = LearnerParams.renamed
    name: Literal["uniform"] = Field(description="uniform pulls")
    frozen_after: Size | None = Field(None, description="rounds after which the learning stops: the control")
    estimator: Estimator = Field(description="what the arms are estimated by")


class Dual(KnapsackLaw, Experiment):
    """The fluid programme with the estimates of the first `horizons` rounds under uniform pulls."""

    kind = "dual"
    horizons: Horizons = Field(description="rounds after which the programme is solved")
    methods: dict[Label, UniformPulls] = Field(description="label -> how long is learnt")

    @property
    def run(self) -> Callable[..., pd.DataFrame]:
        from hdbwk.experiments.theory.dual.trial import run

        return partial(run, self)
