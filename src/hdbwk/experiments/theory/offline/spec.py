"""Lemma Upperbound: the offline optimum of a stream against the fluid value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from hdbwk.core.spec import Label, Positive, Spec
from hdbwk.experiments.base import Experiment, Horizons
from hdbwk.experiments.cbwk.law import KnapsackLaw

if TYPE_CHECKING:
    import pandas as pd


class Hindsight(Spec):
    """The offline optimum."""

    name: Literal["hindsight"] = Field(description="the offline optimum")
    capacity_scale: Positive = Field(
        1.0, description="factor on the capacities; above 1 gives V_off too much: the control"
    )


class Offline(KnapsackLaw, Experiment):
    """The offline optimum of streams against V_UB."""

    kind = "offline"
    horizons: Horizons = Field(description="T")
    methods: dict[Label, Hindsight] = Field(description="label -> with which capacities")

    @property
    def run(self) -> Callable[..., pd.DataFrame]:
        from hdbwk.experiments.theory.offline.trial import run

        return partial(run, self)
