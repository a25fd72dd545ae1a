"""LinUCB of Li, Chu, Langford and Schapire (2010), with disjoint linear models: their Algorithm 1."""

from typing import ClassVar

from pydantic import Field

from hdbwk.core.spec import NonNegative
from hdbwk.core.validation import Floats
from hdbwk.policies.greedy_ridge import GreedyRidge
from hdbwk.policies.parts.protocol import InstanceInfo


class LinUCB(GreedyRidge):
    """The arm with the largest upper confidence bound."""

    knows_horizon: ClassVar[bool] = False

    class Params(GreedyRidge.Params):
        """alpha = 1 + sqrt(log(2 / delta) / 2) in its theorem, and a penalty of 1."""

        alpha: NonNegative = Field(0.1, description="factor of the width sqrt(x' M^-1 x)")

        def label(self, method: str) -> str:
            return "LinUCB"

    def __init__(self, info: InstanceInfo, **params: float) -> None:
        super().__init__(info, **params)
        self.alpha = self.Params(**params).alpha

    def score(self, x: Floats) -> Floats:
        return super().score(x) + self.alpha * self.arms.norms(x)  # line 9
