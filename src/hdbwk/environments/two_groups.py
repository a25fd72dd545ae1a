"""The hard instance of Ariu, Abe and Proutiere (2022), "Thresholded Lasso Bandit", with one parameter for each arm."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hdbwk.environments.contexts import Floats


@dataclass(frozen=True)
class TwoGroups:
    """
    Contexts of two groups that show an arm one relevant feature each: greedy choices need not be diverse.

    Its authors give each of three arms a feature vector of its own and all of them one parameter. One context with a
    block for each arm, and a parameter for each arm that is theirs on its block, are the same bandit. The first three
    features of a block depend on the group alone; the others are Gaussian, correlated between the arms.

    Parameters
    ----------
    dim : int
        d, a multiple of 3 of at least 12.
    correlation : float
        Between the same feature of two arms, 0.7 in their experiment.
    """

    dim: int
    correlation: float = 0.7

    ARMS: ClassVar[int] = 3
    PARAMETER: ClassVar[tuple[float, ...]] = (1.0, 0.1, 1.0)
    SHARE: ClassVar[float] = 0.3  # of the first group
    FEATURES: ClassVar[Floats] = np.array(  # group, arm, feature
        [[[1, 0, 0], [0, 1, 0], [0.9, 0.5, 0]], [[0, 1, 0], [0, 0, 1], [0, 0.5, 0.9]]]
    )

    def __post_init__(self) -> None:
        if self.dim < 12 or self.dim % self.ARMS:
            raise ValueError(f"dim = {self.dim} must be a multiple of 3 of at least 12")
        if not 0 <= self.correlation < 1:
            raise ValueError(f"correlation = {self.correlation} must lie in [0, 1)")

    @property
    def mu(self) -> Floats:
        """The parameters (3, d)."""
        blocks = np.zeros((self.ARMS, self.ARMS, self.dim // self.ARMS))
        for arm in range(self.ARMS):
            blocks[arm, arm, :3] = self.PARAMETER
        return blocks.reshape(self.ARMS, self.dim)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n independent contexts as the rows of an (n, d) array."""
        for_groups, for_shared, for_own = rng.spawn(3)  # a longer draw begins with the same contexts
        group = (for_groups.random(n) >= self.SHARE).astype(int)
        width = self.dim // self.ARMS - 3
        shared = for_shared.standard_normal((n, 1, width))
        own = for_own.standard_normal((n, self.ARMS, width))
        others = np.sqrt(self.correlation) * shared + np.sqrt(1 - self.correlation) * own
        return np.concatenate([self.FEATURES[group], others], axis=2).reshape(n, self.dim)
