"""Experiments whose trials are run on several laws of instances, one after the other."""

from collections.abc import Iterator
from typing import Annotated, Any, Self

from pydantic import Field

from hdbwk.core.spec import Label, Number, refusal
from hdbwk.experiments.base import Experiment, Law, scaled

Change = dict[str, Any]
FIXED = {*Experiment.model_fields} - {*Law.model_fields} | {"seed_label", "sweep", "instances", "horizons"}


class Varied(Law):
    """A law with Student's noise on request, and with variants of itself."""

    degrees: Annotated[Number, Field(gt=2, le=1000)] | None = Field(
        None, description="degrees of freedom of Student's t, for noise with heavy tails; null is Gaussian noise"
    )
    instances: dict[Label, Change] | None = Field(
        None,
        description="label -> keys of the law with other values; the trials are run on each of these laws, at "
        "`horizons` on the first of them and at `horizon` on the others",
    )

    def shared(self) -> dict[str, Any]:
        return {**super().shared(), "degrees": self.degrees}

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.instances is not None:
            if self.sweep or not self.instances:
                yield "@instances must name one at least, and cannot be combined with @sweep"
            else:
                list(self.sizes())  # each is checked

    def sizes(self) -> Iterator[tuple[float | None, Self]]:
        """The laws of `instances` by their places, else those of a sweep; assumed sparsities follow the true one."""
        if self.instances is None:
            yield from super().sizes()
            return
        plain = self.model_dump(exclude={"sweep", "instances"})
        for place, (label, change) in enumerate(self.instances.items()):
            if fixed := FIXED & change.keys():
                raise refusal(f"@instances.{label}: {min(fixed)} is the same for all instances")
            base = scaled(plain, change.get("sparsity", self.sparsity), self.sparsity)
            horizons = {"horizons": [plain["horizon"]]} if place and "horizons" in plain else {}
            yield place, self.model_validate({**base, **horizons, **change})
