"""The step sizes beta_t of Algorithm 1."""

from numbers import Real
from typing import Literal

import numpy as np

from hdbwk.core.compiled import lean_kernel
from hdbwk.estimators.online_ht.store import line_search
from hdbwk.estimators.online_ht.threshold import TIE, largest

Step = float | Literal["normalized", "theory"]
LINE_SEARCH = -1.0  # what the kernels take for step="normalized"
FLAT = 0.05  # curvature along a gradient, as a share of what uncorrelated coordinates have, below which it is flat
VANISHED = 1e-10  # a gradient below this share of the moments is rounding
MODERATE = 1e30  # entries up to here, and down to its inverse, can be squared and summed


def checked_step(step: Step, kappa: float | None, phi_max: float | None) -> float:
    """The constant beta that a step stands for, or LINE_SEARCH; ValueError for anything else."""
    if step == "normalized":
        return LINE_SEARCH
    if step == "theory":
        for name, value in {"kappa": kappa, "phi_max": phi_max}.items():
            if value is None or not 0 < value < np.inf:
                raise ValueError(f'step="theory" needs a positive {name}, found {name} = {value!r}')
        return 1 / (4 * float(kappa) * float(phi_max))  # type: ignore[arg-type]
    if isinstance(step, Real) and not isinstance(step, bool) and 0 < step < np.inf:
        return float(step)
    raise ValueError(f'step = {step!r} must be "normalized", "theory" or a positive number')


@lean_kernel
def normalized_rate(store, arm, mu, support, moment, diagonal, waits, v, chosen):
    """
    The step along v = S mu - C that minimises the loss on the support.

    Where v has vanished on the support, but would bring in others, the search looks at its s largest entries, as it
    does while mu = 0; not for an arm that `waits`, whose gradient no new row has changed.
    """
    if is_ordinary(v, moment, support):
        return line_search(store, arm, diagonal, support, v)
    called = not waits and others_call(v, moment, support, chosen)
    factor = moderate(v, chosen if called else support)
    if called:
        rate = factor * line_search(store, arm, diagonal, chosen, v)
        if brings_in(v, rate, mu, support, chosen):
            return rate
    return factor * line_search(store, arm, diagonal, support, v)


@lean_kernel
def minimising_step(v, support, diagonal, curvature):
    """
    |v|^2 / (v' S v) on the support, given v' S v and the diagonal of S; 0 for rows of zeros.

    Along a gradient that nearly cancels among correlated columns the minimum is far away, and other coordinates, which
    take the same step, would explode: there the columns count as uncorrelated.
    """
    squares = uncorrelated = 0.0
    for j in support:
        squares += v[j] * v[j]
        uncorrelated += v[j] * v[j] * diagonal[j]
    if curvature < FLAT * uncorrelated:
        curvature = uncorrelated
    return squares / curvature if curvature != 0.0 else 0.0


@lean_kernel
def is_ordinary(v, moment, support):
    """Whether a gradient on the support is more than rounding, and its squares are within the floats."""
    top = largest_entry(v, support)
    return top > VANISHED * largest_entry(moment, support) and 1.0 / MODERATE < top < MODERATE


@lean_kernel
def others_call(v, moment, support, chosen):
    """Whether the gradient v has vanished on the support but not elsewhere; `chosen` gets its s largest entries."""
    rounding = VANISHED * largest_entry(moment, support)
    if largest_entry(v, support) > rounding:
        return False
    largest(v, chosen.size, chosen)
    return largest_entry(v, chosen) > rounding


@lean_kernel
def largest_entry(v, support):
    """max |v_j| over the support."""
    top = 0.0
    for j in support:
        if abs(v[j]) > top:  # noqa: PLR1730 (`max` is slower, as it looks for what is not a number)
            top = abs(v[j])
    return top


@lean_kernel
def brings_in(v, rate, mu, support, chosen):
    """Whether a step along the gradient v brings in one of the chosen coordinates; if not, v is kept on the support."""
    least = np.inf if support.size == chosen.size else 0.0
    for j in support:
        least = min(least, abs(mu[j]))
    if rate * largest_entry(v, chosen) > (1.0 + TIE) * least:
        return True
    for i in range(v.size):
        if mu[i] == 0.0:
            v[i] = 0.0
    return False


@lean_kernel
def moderate(v, support):
    """Divide a gradient whose squares would over- or underflow by a power of two, which is returned; else by 1."""
    top = largest_entry(v, support)
    if top == 0.0 or 1.0 / MODERATE < top < MODERATE:
        return 1.0
    factor = 2.0 ** np.floor(np.log2(top))
    for i in range(v.size):
        v[i] /= factor
    return factor
