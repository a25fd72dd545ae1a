"""The banks of arms that policies learn with, by the names that the configuration uses."""

from typing import Annotated, Any, Protocol

from pydantic import Field

from hdbwk.core.validation import Floats
from hdbwk.estimators.online_ht.bank import OnlineHTBank
from hdbwk.estimators.online_ht.params import OnlineHTParams
from hdbwk.estimators.online_lasso.bank import OnlineLassoBank, OnlineLassoParams
from hdbwk.estimators.ridge import RidgeBank, RidgeParams
from hdbwk.estimators.stochastic_ht import StochasticHTBank, StochasticHTParams

EstimatorParams = Annotated[
    OnlineHTParams | OnlineLassoParams | RidgeParams | StochasticHTParams, Field(discriminator="name")
]
BANKS: dict[type, Any] = {
    OnlineHTParams: OnlineHTBank,
    OnlineLassoParams: OnlineLassoBank,
    RidgeParams: RidgeBank,
    StochasticHTParams: StochasticHTBank,
}


class Bank(Protocol):
    """K arms with q responses each (the reward, then the m consumptions), linear in the context."""

    @property
    def coef(self) -> Floats:
        """The estimates, of shape (K, q, d)."""

    def predict(self, x: Floats) -> Floats:
        """The estimated responses (K, q) of all arms to a context."""

    def update(self, x: Floats, arm: int, targets: Floats, weight: float) -> None:
        """Take in the q responses of the arm that was pulled, with weight 1/p; 0 for the null arm (-1)."""


def make_bank(params: EstimatorParams, n_arms: int, n_outputs: int, dim: int) -> Bank:
    """Build the bank of arms that the parameters describe."""
    return BANKS[type(params)](params, n_arms, n_outputs, dim)
