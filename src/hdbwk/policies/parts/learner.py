"""The parameters of policies that learn with a bank of arms."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from hdbwk.estimators.registry import EstimatorParams, OnlineHTParams
from hdbwk.policies.parts.params import PolicyParams


def _named(params: object) -> object:
    return {"name": "online_ht", **params} if isinstance(params, dict) else params


Estimator = Annotated[EstimatorParams, BeforeValidator(_named)]


class LearnerParams(PolicyParams):
    """The parameters of a policy that learns with a bank of arms."""

    renamed = {key: f"estimator.{key}" for key in OnlineHTParams.model_fields if key != "name"}
    estimator: Estimator = Field(OnlineHTParams(), description="what the arms are estimated by, see `estimator` below")

    @property
    def assumed(self) -> str:
        """The sparsity that the estimates have, for legends."""
        sparsity = getattr(self.estimator, "sparsity", None)
        return self.estimator.name if sparsity is None else f"$s_0' = {sparsity}$"
