"""Checks of public input: messages name the argument, what was found and what is allowed."""

from typing import Any

import numpy as np

from hdbwk.core.validation import NUMBERS
from hdbwk.dual.solution import Array


def finite_array(name: str, value: Any, shape: tuple[int | None, ...]) -> Array:
    """`value` as a contiguous array of finite floats; None in `shape` is any positive length."""
    array = shaped_array(name, value, shape)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} contains values that are not finite")
    return array


def shaped_array(name: str, value: Any, shape: tuple[int | None, ...]) -> Array:
    """`value` as a contiguous array of floats; None in `shape` is any positive length."""
    array = np.ascontiguousarray(value, dtype=np.float64)
    if not array.flags.writeable:  # for kernels that would be another type, and be compiled again
        array = array.copy()
    matches = array.shape == shape or (
        array.ndim == len(shape)
        and all(
            found > 0 if wanted is None else found == wanted for found, wanted in zip(array.shape, shape, strict=True)
        )
    )
    if not matches:
        allowed = ", ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(f"{name} has shape {array.shape}, expected ({allowed})")
    return array


def price_cap(Z: float, rho: Array) -> float:
    """Z as a float; it may be infinite only if every capacity is positive, which bounds the prices."""
    if isinstance(Z, bool) or not isinstance(Z, NUMBERS) or not Z >= 0.0:
        raise ValueError(f"Z = {Z!r} is not allowed: it must be a number of at least 0")
    if np.isinf(Z) and rho.min() <= 0.0:
        raise ValueError(f"Z = inf needs every rho > 0, found min(rho) = {rho.min():g}")
    return float(Z)


def positive_capacity(name: str, value: Array) -> None:
    """Refuse a capacity that is zero or negative."""
    if value.min() <= 0.0:
        raise ValueError(f"min({name}) = {value.min():g} is not allowed: every capacity must be positive")


def relative_tolerance(tol: float | str | None, n: int) -> float:
    """None is 0.1 / n, the error the paper allows; "exact" is 1e-9; a number is itself."""
    if tol is None:
        return 0.1 / n
    if tol == "exact":
        return 1e-9
    if isinstance(tol, bool) or not isinstance(tol, NUMBERS) or not 0.0 < tol < np.inf:
        raise ValueError(f'tol = {tol!r} is not allowed: it must be None, "exact" or a positive number')
    return float(tol)
