"""A bank of arms to which some of the truth is told: what does a regret owe to the estimates?"""

from typing import Any

import numpy as np

from hdbwk.core.validation import Floats
from hdbwk.estimators.registry import Bank


class KnownBank:
    """
    A bank whose consumptions, or all responses, are the true ones.

    Parameters
    ----------
    bank : Bank
        What is learned besides.
    truth : object
        The instance, with ``mu`` (K, d) and ``W`` (K, m, d).
    rewards : bool
        Whether the rewards are known too.
    """

    def __init__(self, bank: Bank, truth: Any, rewards: bool) -> None:
        self.bank = bank
        self.first = 0 if rewards else 1
        self.known = np.concatenate([truth.mu[:, None], truth.W], axis=1)[:, self.first :]

    @property
    def coef(self) -> Floats:
        """The parameters of shape (K, q, d)."""
        coef = self.bank.coef.copy()
        coef[:, self.first :] = self.known
        return coef

    def predict(self, x: Floats) -> Floats:
        """The responses (K, q) of all arms to a context."""
        responses = self.bank.predict(x)
        responses[:, self.first :] = self.known @ x
        return responses

    def update(self, x: Floats, arm: int, targets: Floats, weight: float) -> None:
        """Learn what is not known."""
        self.bank.update(x, arm, targets, weight)
