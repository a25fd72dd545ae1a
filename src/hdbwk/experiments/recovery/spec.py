"""Section 8.1, Figure 1: sparse recovery."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from hdbwk.experiments.base import Figure
from hdbwk.experiments.regression import Regression

if TYPE_CHECKING:
    import pandas as pd


class Recovery(Regression):
    """One estimator along the stream of one trial."""

    kind = seeds = "recovery"
    panels: ClassVar = {
        "error": ("Estimation error", r"$\|\mu_t^{\mathsf{s}} - \mu_\star\|_2^2$"),
        "support": ("Support recovery", r"$|\mathrm{supp}(\mu_t^{\mathsf{s}}) \cap \Omega_\star|\,/\,s_0$"),
    }
    at_stake: ClassVar = {"1.1": "Theorem sparse-est", "1.2": "Theorem sparse-est"}

    @property
    def run(self) -> Callable[..., pd.DataFrame]:
        from hdbwk.experiments.recovery.trial import run

        return partial(run, self)

    def sentence(self, rows: pd.DataFrame) -> str:
        last = rows.groupby("measure")["value"].last()
        found = round(last["support"] * self.sparsity)
        return f"squared error {last['error']:.4g}, {found} of {self.sparsity} coordinates found"

    def figures(self) -> dict[str, Figure]:
        caption = (
            "Sparse recovery (Section 8.1): squared error and share of the support found by Online HT, for working "
            "sparsities s, and by LASSO, for penalties c, as rounds go by; means over trials with approximate 95% "
            "bands."
        )
        name = "fig1_recovery" if self.name == self.kind else f"fig_{self.name}"
        return {name: Figure("hdbwk.experiments.recovery.figure", caption)}
