"""Lemma Upperbound: the offline optimum of a stream against the fluid value."""

from typing import Literal

from pydantic import Field

from hdbwk.core.spec import Label, Positive, Spec
from hdbwk.experiments.base import Experiment, Horizons
from hdbwk.experiments.cbwk.law import KnapsackLaw


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
