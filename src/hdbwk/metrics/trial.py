"""What is measured on one trial."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def squared_error(estimate: Floats, truth: Floats) -> float:
    """|mu_t - mu|_2^2."""
    return float(np.sum((estimate - truth) ** 2))


def support_recovery(estimate: Floats, truth: Floats) -> float:
    """|supp(mu_t) and supp(mu)| / |supp(mu)|, the share of the true support that was found."""
    return float(np.count_nonzero(estimate[truth != 0]) / np.count_nonzero(truth))
