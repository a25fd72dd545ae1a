"""The parameters of policies: what all of them have, and what several share."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import ConfigDict, Field

from hdbwk.core.spec import Count, NonNegative, Positive, Shown

Ratio = NonNegative | Literal["oracle", "estimated"]


class PolicyParams(Shown):
    """
    The parameters of a policy; a subclass adds fields, with the paper's values as defaults.

    Attributes
    ----------
    made_for : str
        The experiments in which the policy can be run: those with "knapsacks", those "without", or "both".
    """

    made_for: ClassVar[Literal["knapsacks", "without", "both"]] = "both"


class FreeParams(PolicyParams):
    """Any parameters: those of a class of the user's that says nothing of them."""

    model_config = ConfigDict(extra="allow")


class RatioParams(PolicyParams):
    """The parameters of `hdbwk.policies.parts.ratio.RatioZ`."""

    made_for = "knapsacks"
    explore: Count = Field(0, description="uniform rounds at the start: T0")
    Z: Ratio = Field(
        "oracle", description="`oracle`: V_UB / C_min of the truth; `estimated` from the first rounds; or a number"
    )
    slack: NonNegative = Field(0.0, description="delta of the Supplement for each round, for `Z: estimated`")

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.Z == "estimated" and self.explore < 1:
            yield "Z = 'estimated' needs explore of at least 1"


class HedgeParams(PolicyParams):
    """The parameters of `hdbwk.policies.parts.prices.learning_rate`."""

    delta_scale: Positive = Field(3.0, description="c of Hedge's rate c sqrt(log m / (T B))")
    cost_bound: Positive = Field(10.0, description="B of Hedge's rate, that is (B_max + C_max / T)^2 + sigma^2 log m")
