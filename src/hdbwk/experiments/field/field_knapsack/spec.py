"""Figure 8: bandits with knapsacks, on several laws of instances."""

from typing import ClassVar

from hdbwk.experiments.base import Figure
from hdbwk.experiments.cbwk.spec import CBwK


class FieldKnapsack(CBwK):
    """Section 8.3 with the methods of the field, on each of `instances`."""

    kind = "field_knapsack"
    pictures: ClassVar = {
        "fig8_field_knapsack": Figure(
            "figure",
            "The field with knapsacks: regret of Algorithms 2 and 4 with several estimators and of what people would "
            "use instead, on the instances of Section 8.3 and on harder ones, over horizons, and against the time of a "
            "round; means over trials with approximate 95% bands",
            ("trials", "times"),
        )
    }
