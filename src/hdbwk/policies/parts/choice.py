"""The greedy choice, with or without the null arm."""

import math

import numpy as np

from hdbwk.core.validation import NULL_ARM, Floats


def best_arm(score: Floats, null_arm: bool) -> int:
    """The arm of largest score, the lower one among equals; the null arm (score 0) only if all others are worse."""
    arm = int(np.argmax(score))
    if not math.isfinite(score[arm]):  # NaN is the largest, for argmax
        raise FloatingPointError(f"the scores of the arms are {score}: the estimates have diverged")
    return NULL_ARM if null_arm and score[arm] < 0 else arm
