"""What a round gave and consumed, as the responses that the estimates of an arm learn."""

import numpy as np

from hdbwk.core.validation import Floats, finite_number, finite_vector


def responses(reward: float, consumption: Floats | None, n_resources: int) -> Floats:
    """The reward, then the m consumptions: finite numbers, of shape (1 + m,)."""
    if consumption is None:
        raise ValueError("consumption = None: a policy for knapsacks must be told what was consumed")
    targets = np.empty(1 + n_resources)
    targets[0], targets[1:] = finite_number("reward", reward), finite_vector("consumption", consumption, n_resources)
    return targets
