"""Figure 7: bandits, on several laws of instances."""

from typing import ClassVar

from hdbwk.experiments.bandit.spec import Bandit
from hdbwk.experiments.base import Figure


class FieldBandit(Bandit):
    """Section 8.2 with the methods of the field, on each of `instances`."""

    kind = "field_bandit"
    pictures: ClassVar = {
        "fig7_field_bandit": Figure(
            "figure",
            "The field without knapsacks: regret of greedy Online HT and of what people would use instead, on the "
            "instances of Section 8.2 and on harder ones, over horizons, and against the time of a round; means over "
            "trials with approximate 95% bands",
            ("trials", "times"),
        )
    }
