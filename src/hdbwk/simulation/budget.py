"""What is left of the capacities, and what happens to a query that exceeds them."""

from typing import Literal, NamedTuple

import numpy as np

from hdbwk.core.validation import NULL_ARM, Floats
from hdbwk.environments.bandit import BanditStream
from hdbwk.environments.cbwk import CBwKStream


class Outcome(NamedTuple):
    """What a round came to; the policy may do with its consumption what it likes."""

    arm: int
    reward: float
    consumption: Floats


class Budget:
    """The capacities of a stream; without knapsacks there are none, and all is served."""

    def __init__(self, stream: BanditStream | CBwKStream, exit_rule: Literal["exit", "skip"]) -> None:
        if exit_rule not in ("exit", "skip"):
            raise ValueError(f'exit_rule = {exit_rule!r} must be "exit" or "skip"')
        self.stream, self.exits = stream, exit_rule == "exit"
        self.remaining = np.array(stream.capacity if isinstance(stream, CBwKStream) else [], dtype=np.float64)

    def serve(self, t: int, arm: int) -> Outcome | None:
        """Serve an arm if the capacities allow it; otherwise refuse it, or return None: the run is over."""
        if arm == NULL_ARM:
            return self._nothing()
        if not isinstance(self.stream, CBwKStream):
            return Outcome(arm, self.stream.rewards[t, arm], np.zeros(0))
        consumption = self.stream.consumptions[t, arm].copy()
        if (consumption > self.remaining).any():
            return None if self.exits else self._nothing()
        self.remaining = self.remaining - consumption
        return Outcome(arm, self.stream.rewards[t, arm], consumption)

    def _nothing(self) -> Outcome:
        return Outcome(NULL_ARM, 0.0, np.zeros(self.remaining.size))
