"""Section 8.2, Figure 2: the high-dimensional bandit."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import pandas as pd
from pydantic import Field, SerializeAsAny

from hdbwk.core.spec import Label
from hdbwk.environments.bandit import BanditInstance
from hdbwk.environments.two_groups import TwoGroups
from hdbwk.experiments.base import Arms, Experiment, Figure, Horizons
from hdbwk.experiments.instances import Varied
from hdbwk.experiments.methods import Method, policy_for
from hdbwk.policies.parts.params import PolicyParams


class Bandit(Varied, Experiment):
    """One policy on the rounds of one trial, at every horizon of the sweep."""

    kind = seeds = "bandit"
    panels: ClassVar = {"regret": ("Regret", "cumulative regret")}
    pictures: ClassVar = {
        "fig2_bandit": Figure(
            "figure",
            "High-dimensional bandit (Section 8.2): regret of greedy and epsilon-greedy Online HT and of LASSO "
            "explore-then-commit over the rounds of one horizon (left) and at the end of growing horizons (right), "
            "with fitted exponents; means over trials with approximate 95% bands",
        )
    }
    at_stake: ClassVar = {
        "1.1": "Theorems bandit-poor, bandit-rich",
        "1.2": "Theorems bandit-poor, bandit-rich",
        "2": "Theorem bandit-rich",
        "3": "no theorem; for comparison",
    }
    n_arms: Arms = Field(description="K")
    design: Literal["power_decay", "two_groups"] = Field(
        "power_decay",
        description="law of contexts and parameters: that of Section 8.2, or the hard instance of Ariu et al. (2022), "
        "whose `correlation` is that between arms; it has `n_arms: 3`, `sparsity: 3`, and `dim` a multiple of 3",
    )
    horizons: Horizons = Field(description="T of the sweep over horizons")
    methods: dict[Label, Annotated[SerializeAsAny[PolicyParams], policy_for("bandit", Method, unfit="knapsacks")]] = (
        Field(description="label -> policy, see below")
    )

    def instance(self, trial: int, seed: int) -> BanditInstance:
        """The instance of a trial."""
        if self.design == "two_groups":
            law = TwoGroups(self.dim, self.correlation)
            return BanditInstance(law.mu, law, self.noise, self.degrees)
        return BanditInstance.draw(self.generator(seed, trial, "instance"), n_arms=self.n_arms, **self.shared())

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.design == "two_groups":
            if (self.n_arms, self.sparsity) != (TwoGroups.ARMS, len(TwoGroups.PARAMETER)):
                yield "@design = two_groups needs n_arms = 3 and sparsity = 3"
            try:
                TwoGroups(self.dim, self.correlation)
            except ValueError as error:
                yield f"@design = two_groups: {error}"

    def largest_eigenvalue(self, size: int) -> float:
        return size if self.design == "two_groups" else super().largest_eigenvalue(size)

    def sentence(self, rows: pd.DataFrame) -> str:
        last = rows[rows["measure"] == "regret"].iloc[-1]
        return f"regret {last['value']:.1f} at T = {last['t']}"
