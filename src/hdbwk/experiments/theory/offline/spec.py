"""Lemma Upperbound: the offline optimum of a stream against the fluid value, and the price of a degenerate capacity."""

from typing import Literal

from pydantic import Field

from hdbwk.core.spec import Flag, Label, Positive, Shown, Size
from hdbwk.experiments.cbwk.law import Knapsacks


class Hindsight(Shown):
    """The offline optimum."""

    name: Literal["hindsight"] = Field(description="the offline optimum")
    capacity_scale: Positive = Field(
        1.0, description="factor on the capacities; above 1 gives V_off too much: the control"
    )
    degenerate: Flag = Field(
        False, description="capacities that the best arms consume on average, so that all bind at the price 0"
    )
    streams: Size = Field(1, description="streams of a trial, whose means are recorded")
    atoms: Size | None = Field(None, description="contexts have so many values instead of a density")


class Offline(Knapsacks):
    """The offline optimum of streams against V_UB."""

    kind = "offline"
    methods: dict[Label, Hindsight] = Field(description="label -> with which capacities and contexts")
