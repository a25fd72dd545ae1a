"""The noise of responses: Gaussian, or with the heavy tails of Student's t."""

import numpy as np

from hdbwk.environments.contexts import Floats


def standard_noise(rng: np.random.Generator, shape: tuple[int, ...], degrees: float | None = None) -> Floats:
    """
    Independent noise of mean 0 and variance 1.

    Parameters
    ----------
    rng : Generator
    shape : tuple of int
    degrees : float, optional
        Degrees of freedom of Student's t, above 2, so that there is a variance; None is the Gaussian.
    """
    if degrees is None:
        return rng.standard_normal(shape)
    return rng.standard_t(degrees, shape) * np.sqrt((degrees - 2) / degrees)


def checked_noise(noise: float, degrees: float | None) -> None:
    """ValueError for a law that does not exist."""
    if not noise >= 0:
        raise ValueError(f"noise = {noise} must be at least 0")
    if degrees is not None and not degrees > 2:
        raise ValueError(f"degrees = {degrees} must be above 2, or None for Gaussian noise")
