"""Warfarin: three dose groups for the patients of the IWPC, with scarce visits and tablets."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field, SerializeAsAny

from hdbwk.core.spec import Label, Positive, Size, Spec
from hdbwk.experiments.base import Figure, Study
from hdbwk.experiments.methods import KnapsackMethod, policy_for
from hdbwk.policies.parts.params import PolicyParams

PATIENTS = 6037  # with a therapeutic dose


class Supplies(Spec):
    """What there is for each patient on average."""

    visits: Positive = Field(description="visits; a patient with the right dose group needs one")
    low: Positive = Field(description="supplies of tablets of low strength")
    high: Positive = Field(description="supplies of tablets of high strength")

    @property
    def rho(self) -> list[float]:
        """Capacities of the resources for each patient."""
        return [self.visits, self.low, self.high]


class Warfarin(Study):
    """One policy on all patients in a random order: without capacities, or at each scarcity."""

    kind = seeds = "warfarin"
    panels: ClassVar = {"right": ("Right doses", "share of patients so far")}
    pictures: ClassVar = {
        "fig9_warfarin": Figure(
            "figure",
            "Warfarin (6,037 patients of the IWPC, whose right dose groups are known): share of patients so far who "
            "got the right one of three dose groups, by bandits without capacities (left) and where visits and "
            "tablets are scarce; means over random orders of the patients with approximate 95% bands, the clinic's "
            "fixed medium dose, fixed shares in hindsight and the optimum that knows every patient as lines. "
            "Not for use in the treatment of patients",
        )
    }
    least_count: Size = Field(
        30, description="a value of a column that fewer patients have is not told apart from others"
    )
    wrong_visits: Positive = Field(3.0, description="visits of a patient whose dose group is wrong at first")
    scarcities: dict[Label, Supplies] = Field(description="label -> supplies, for the policies for knapsacks")
    methods: dict[
        Label, Annotated[SerializeAsAny[PolicyParams], policy_for("warfarin", KnapsackMethod, unfit="nothing")]
    ] = Field(description="label -> policy, see below")

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.horizon > PATIENTS:
            yield f"@horizon = {self.horizon} exceeds the {PATIENTS} patients"
        if not self.scarcities:
            yield "@scarcities is empty"
