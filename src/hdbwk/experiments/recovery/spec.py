"""Section 8.1, Figure 1: sparse recovery."""

from typing import ClassVar

import pandas as pd

from hdbwk.experiments.base import Figure
from hdbwk.experiments.regression import Regression


class Recovery(Regression):
    """One estimator along the stream of one trial."""

    kind = seeds = "recovery"
    panels: ClassVar = {
        "error": ("Estimation error", r"$\|\mu_t^{\mathsf{s}} - \mu_\star\|_2^2$"),
        "support": ("Support recovery", r"$|\mathrm{supp}(\mu_t^{\mathsf{s}}) \cap \Omega_\star|\,/\,s_0$"),
    }
    pictures: ClassVar = {
        "fig1_recovery": Figure(
            "figure",
            "Sparse recovery (Section 8.1): squared error and share of the support found by Online HT, for working "
            "sparsities s, and by LASSO, for penalties c, as rounds go by; means over trials with approximate 95% "
            "bands",
        )
    }
    at_stake: ClassVar = {"1.1": "Theorem sparse-est", "1.2": "Theorem sparse-est"}

    def sentence(self, rows: pd.DataFrame) -> str:
        last = rows.groupby("measure")["value"].last()
        found = round(last["support"] * self.sparsity)
        return f"squared error {last['error']:.4g}, {found} of {self.sparsity} coordinates found"
