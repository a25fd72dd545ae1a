"""Checks of what callers hand in, before it reaches compiled code, which trusts every shape and every index."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NULL_ARM = -1
INTEGERS = (int, np.integer)
NUMBERS = (float, np.floating, *INTEGERS)
LARGEST = 1e60  # magnitude up to which, and down to whose inverse, products in the sums stay within floats


def finite_vector(name: str, value: Any, size: int) -> Floats:
    """A copy of `value` as `size` floats up to LARGEST, contiguous and writable: the one type that kernels know."""
    try:
        vector = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is not a vector of numbers: {error}") from error
    if vector.shape != (size,):
        raise ValueError(f"{name} has shape {vector.shape}, expected ({size},)")
    if not vector.dot(vector) <= LARGEST:  # quick, and true of ordinary numbers
        allowed = np.abs(vector) <= LARGEST
        if not allowed.all():
            place = int(np.argmin(allowed))
            raise ValueError(f"{name}[{place}] = {vector[place]} must be finite, and at most {LARGEST:g} in magnitude")
    return vector


def finite_number(name: str, value: Any) -> float:
    """`value` if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, NUMBERS) or not math.isfinite(value):
        raise ValueError(f"{name} = {value!r} must be a finite number")
    return float(value)


def all_finite(vector: Floats) -> bool:
    """Whether all entries are finite; their squares, which are quick to sum, may overflow."""
    return math.isfinite(vector.dot(vector)) or bool(np.isfinite(vector).all())


def checked_arm(arm: Any, n_arms: int) -> int:
    """`arm` if it is one of n_arms, or the null arm."""
    if isinstance(arm, bool) or not isinstance(arm, INTEGERS) or not NULL_ARM <= arm < n_arms:
        raise ValueError(f"arm = {arm!r} is not an arm: allowed are 0..{n_arms - 1}, and -1 for the null arm")
    return int(arm)


def checked_pull(arm: Any, weight: Any, n_arms: int) -> tuple[int, float]:
    """An arm and the weight 1/p of its row: finite, not negative, and 0 for the null arm."""
    arm, weight = checked_arm(arm, n_arms), float(weight)
    if not 0 <= weight < math.inf or (arm == NULL_ARM and weight > 0):
        raise ValueError(f"weight = {weight} of arm {arm} must be finite and at least 0, and 0 for the null arm")
    return arm, weight


def positive_int(name: str, value: Any) -> int:
    """`value` if it is an integer of at least 1."""
    if isinstance(value, bool) or not isinstance(value, INTEGERS) or value < 1:
        raise ValueError(f"{name} = {value!r} must be an integer of at least 1")
    return int(value)


def frozen(values: Any) -> Floats:
    """A copy as floats that nobody can write to."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
