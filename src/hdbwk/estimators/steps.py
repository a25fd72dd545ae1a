"""The step sizes beta_t of Algorithm 1."""

from numbers import Real
from typing import Literal

import numpy as np

Step = float | Literal["normalized", "theory"]
LINE_SEARCH = -1.0  # what the kernels take for step="normalized"


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
