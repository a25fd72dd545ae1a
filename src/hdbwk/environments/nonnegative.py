"""Contexts in [0, 1], for which linear consumption with positive weights cannot be negative."""

from dataclasses import dataclass

import numpy as np

from hdbwk.environments.contexts import Floats, PowerDecay


@dataclass(frozen=True)
class UniformContexts:
    """The Gaussian contexts of Section 8.1 through their distribution function: uniform entries, dependent alike."""

    gaussian: PowerDecay

    @property
    def dim(self) -> int:
        """d."""
        return self.gaussian.dim

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n independent contexts as the rows of an (n, d) array."""
        from scipy.special import ndtr

        return ndtr(self.gaussian.draw(n, rng))
