"""LinTS of Agrawal and Goyal (2013), "Thompson Sampling for Contextual Bandits with Linear Payoffs"."""

from typing import ClassVar

from pydantic import Field

from hdbwk.core.spec import NonNegative
from hdbwk.core.validation import Floats
from hdbwk.policies.greedy_ridge import GreedyRidge
from hdbwk.policies.parts.protocol import InstanceInfo


class LinTS(GreedyRidge):
    """
    The arm that is best under parameters drawn from their posteriors N(ridge estimate, v^2 M^-1).

    A reward x'mu_a depends on the draw through one normal number of variance v^2 x' M_a^-1 x, which is drawn instead.
    """

    knows_horizon: ClassVar[bool] = False

    class Params(GreedyRidge.Params):
        """v = R sqrt(9 d log(t / delta)) in its theorem."""

        spread: NonNegative = Field(0.1, description="v, factor of the posterior's deviation")

        def label(self, method: str) -> str:
            return "LinTS"

    def __init__(self, info: InstanceInfo, **params: float) -> None:
        super().__init__(info, **params)
        self.spread = self.Params(**params).spread

    def score(self, x: Floats) -> Floats:
        return super().score(x) + self.spread * self.arms.norms(x) * self.rng.standard_normal(self.K)
