"""A policy that knows everything but the noise and the contexts to come."""

from typing import Any, ClassVar

from pydantic import Field

from hdbwk.core.spec import Size
from hdbwk.core.validation import Floats, finite_vector
from hdbwk.dual.fluid import fluid_value
from hdbwk.policies.parts.choice import best_arm
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


class FluidOracle:
    """The best arm under the true parameters at the optimal prices lambda* of the fluid benchmark."""

    knows_horizon: ClassVar[bool] = False

    class Params(PolicyParams):
        """How well lambda* is known."""

        made_for = "knapsacks"
        contexts: Size = Field(20_000, description="contexts that lambda* is computed from")

        def label(self, method: str) -> str:
            return r"knows $\mu$, $W$, $\lambda^*$"

    def __init__(self, info: InstanceInfo, **params: Any) -> None:
        p = self.Params(**params)
        if not info.n_resources:
            raise ValueError("a policy for knapsacks needs capacities: InstanceInfo(..., rho=C / T)")
        self.mu, self.W = info.truth.mu, info.truth.W
        self.prices = fluid_value(info.truth, info.rng, p.contexts).lam

    def act(self, x: Floats) -> int:
        x = finite_vector("x", x, self.mu.shape[1])
        return best_arm(self.mu @ x - self.W @ x @ self.prices, null_arm=True)

    def update(self, x: Floats, arm: int, reward: float, consumption: Floats | None = None) -> None:
        """There is nothing left to learn."""
