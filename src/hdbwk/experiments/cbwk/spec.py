"""Section 8.3, Figure 3: bandits with knapsacks."""

from typing import Annotated, ClassVar

import pandas as pd
from pydantic import Field, SerializeAsAny

from hdbwk.core.spec import Label
from hdbwk.experiments.base import Figure
from hdbwk.experiments.cbwk.law import KnapsackLaw, Knapsacks
from hdbwk.experiments.methods import KnapsackMethod, policy_for
from hdbwk.policies.parts.params import PolicyParams


class CBwK(Knapsacks):
    """One policy on the rounds of one trial, with budgets, at every horizon of the sweep."""

    kind = "cbwk"
    panels: ClassVar = {
        "regret": ("Regret", "cumulative regret"),
        "remaining": ("Capacities, a line for each", "share of capacity left"),
        "price": ("Dual prices, a line for each", r"price $\lambda_i$"),
    }
    pictures: ClassVar = {
        "fig3_cbwk": Figure(
            "figure",
            "Bandits with knapsacks (Section 8.3): regret of Algorithm 2, of Algorithm 4 under both rules for an "
            "exhausted capacity, and of linCBwK as its paper sets it and tuned, over the rounds of one horizon (left) "
            "and at the end of growing horizons (right); means over trials with approximate 95% bands",
        ),
        "fig3b_budgets": Figure(
            "budgets",
            "One trial of Section 8.3 from inside: what is left of each of the capacities and the dual prices over the "
            "rounds for every method, and the distribution of stopping times over all trials",
            ("trials", "budgets"),
        ),
        "fig6_terms": Figure(
            "terms",
            "The regret of Section 8.3 as the terms that the proofs bound one by one, at the end of growing horizons: "
            "wrong arms because of prices and of estimates, capacity left unused, exploration, exit, and the luck of "
            "the contexts, which is the same for all methods; bars below zero are gains, and all sum to the regret",
        ),
    }
    at_stake: ClassVar = {
        "1.1": "all theorems",
        "1.2": "all theorems",
        "2": "Theorem BwK-regret-2",
        "3": "Theorem sqrt-margin",
        "4(i)": "Theorem resolving-regret",
        "4(ii)": "Theorem resolving-regret",
        "5.1": "Theorem resolving-regret",
        "5.2": "Theorem resolving-regret",
    }
    methods: dict[
        Label, Annotated[SerializeAsAny[PolicyParams], policy_for("cbwk", KnapsackMethod, unfit="without")]
    ] = Field(description="label -> policy, see below")

    def fluid(self) -> KnapsackLaw:
        return KnapsackLaw.model_validate({key: getattr(self, key) for key in KnapsackLaw.model_fields})

    def follow(self, method: str, trial: int, seed: int, progress: bool) -> pd.DataFrame:
        return self.part("trial").follow(self, method, trial, seed, progress)

    def sentence(self, rows: pd.DataFrame) -> str:
        last = rows.groupby("measure")["value"].last()
        stop = last["stopping time"]
        end = "played to the end" if stop == self.horizon else f"a capacity ran out after {stop:.0f} rounds"
        left = rows[rows["measure"] == "remaining"].groupby("resource")["value"].last().min()
        regret = f"regret {last['regret']:.1f} at T = {self.horizon}"
        return f"{regret}, {end}, {left:.0%} left of the scarcest capacity"
