"""The parameters of policies that learn with a bank of arms."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from hdbwk.estimators.registry import Bank, EstimatorParams, OnlineHTParams, make_bank
from hdbwk.policies.parts.known import KnownBank
from hdbwk.policies.parts.params import PolicyParams
from hdbwk.policies.parts.protocol import InstanceInfo


def _named(params: object) -> object:
    return {"name": "online_ht", **params} if isinstance(params, dict) else params


Estimator = Annotated[EstimatorParams, BeforeValidator(_named)]


class LearnerParams(PolicyParams):
    """The parameters of a policy that learns with a bank of arms."""

    renamed: ClassVar = {key: f"estimator.{key}" for key in OnlineHTParams.model_fields if key != "name"}
    estimator: Estimator = Field(
        OnlineHTParams(), description="what the arms are estimated by: a name with its parameters"
    )

    @property
    def assumed(self) -> str:
        """The sparsity that the estimates have, for legends."""
        sparsity = getattr(self.estimator, "sparsity", None)
        if sparsity is None:
            return self.estimator.name
        return "$s_0'$ chosen" if sparsity == "auto" else f"$s_0' = {sparsity}$"


class KnapsackLearnerParams(LearnerParams):
    """The same where arms consume."""

    known: Literal["nothing", "consumption", "all"] = Field(
        "nothing", description="what the policy is told of the truth: nothing, W, or mu and W"
    )


def learner(params: KnapsackLearnerParams, info: InstanceInfo) -> Bank:
    """A bank of arms with the reward of each arm, then its consumptions."""
    bank = make_bank(params.estimator, info.n_arms, 1 + info.n_resources, info.dim)
    return bank if params.known == "nothing" else KnownBank(bank, info.truth, rewards=params.known == "all")
