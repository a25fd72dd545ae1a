"""What is left of the capacities, and what happens to a query that exceeds them."""

from typing import Literal, NamedTuple

import numpy as np

from hdbwk.environments.bandit import BanditStream
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.policies.protocol import NULL_ARM, Floats


class Outcome(NamedTuple):
    """What a round came to."""

    arm: int
    reward: float
    consumption: Floats


class Budget:
    """The capacities of a stream; without knapsacks there are none, and all is served."""

    def __init__(self, stream: BanditStream | CBwKStream, exit_rule: Literal["exit", "skip"]) -> None:
        if exit_rule not in ("exit", "skip"):
            raise ValueError(f'exit_rule = {exit_rule!r} must be "exit" or "skip"')
        self.stream, self.exits = stream, exit_rule == "exit"
        self.remaining = stream.capacity if isinstance(stream, CBwKStream) else np.zeros(0)
        self.nothing = np.zeros(self.remaining.size)

    def serve(self, t: int, arm: int) -> Outcome | None:
        """Serve an arm if the capacities allow it; otherwise refuse it, or return None: the run is over."""
        if arm == NULL_ARM:
            return Outcome(NULL_ARM, 0.0, self.nothing)
        consumption = self.stream.consumptions[t, arm] if isinstance(self.stream, CBwKStream) else self.nothing
        if (consumption > self.remaining).any():
            return None if self.exits else Outcome(NULL_ARM, 0.0, self.nothing)
        self.remaining = self.remaining - consumption
        return Outcome(arm, self.stream.rewards[t, arm], consumption)
