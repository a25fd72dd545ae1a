"""Lemmas smoothness and region-B+: the dual and its binding resources around rho_0."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from hdbwk.core.spec import Label, Positive, Shown, Size, distinct
from hdbwk.experiments.cbwk.law import Knapsacks

Radii = Annotated[list[Positive], AfterValidator(distinct), Field(min_length=2, max_length=100)]


class Neighbourhood(Shown):
    """Around what the dual is looked at."""

    name: Literal["neighbourhood"] = Field(description="distances from the optimal prices, and from rho_0")
    atoms: Size | None = Field(None, description="contexts have so many values instead of a density: the control")


class Local(Knapsacks):
    """The dual function near its optimal prices, and the optimal prices of capacities near rho_0."""

    kind = "local"
    radii: Radii = Field(description="distances, as shares of |lam*|_1 and of the mean capacity")
    directions: Size = Field(16, description="random directions at each distance from the prices")
    solved_directions: Size = Field(4, description="those in which capacities are changed, too")
    solved_contexts: Size = Field(3000, description="contexts on which prices of other capacities are found")
    methods: dict[Label, Neighbourhood] = Field(description="label -> law of the contexts")
