"""Theorems on sparse estimation: Online HT on rows that an allocation chooses, apart from any reward."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, Strict

from hdbwk.core.spec import Flag, Label, Number, Shown, UnitInterval
from hdbwk.experiments.base import Arms, Experiment, Horizons
from hdbwk.policies.parts.learner import Estimator, LearnerParams


class Allocation(Shown):
    """Which arm is pulled in a round."""

    renamed: ClassVar = LearnerParams.renamed
    name: Literal["random", "greedy", "epsilon_greedy"] = Field(
        description="`random` pulls each arm with probability p t^(-decay), at most 1/K; `greedy` the one that looks "
        "best; `epsilon_greedy` that one too, and each other with probability p t^(-decay), at most 1/K"
    )
    probability: Number = Field(1.0, gt=0, le=1, description="p")
    decay: UnitInterval = Field(0.0, description="the exponent")
    weighted: Flag = Field(True, description="whether a pull counts 1/p times, p its probability; else once")
    estimator: Estimator = Field(description="what the arms are estimated by: a name with its parameters")


class Estimation(Experiment):
    """Algorithm 1 for K arms with several responses each: the errors at `horizons`."""

    kind = seeds = "estimation"
    n_arms: Arms = Field(description="K")
    n_outputs: Annotated[int, Strict(), Field(ge=1, le=1000)] = Field(description="responses of an arm")
    horizons: Horizons = Field(description="rounds after which errors are read")
    methods: dict[Label, Allocation] = Field(description="label -> allocation")
