"""The reward-constraint ratio Z: given, known from the truth, or estimated from the first rounds."""

from numbers import Real
from typing import Literal

import numpy as np

from hdbwk.core.validation import Floats
from hdbwk.dual.ratio import estimate_Z
from hdbwk.policies.protocol import InstanceInfo

Ratio = float | Literal["oracle", "estimated"]


class RatioZ:
    """
    Z >= V_UB / C_min.

    Parameters
    ----------
    info : InstanceInfo
    Z : float, "oracle" or "estimated"
        A number; "oracle", V_UB / C_min from the truth; or "estimated", the linear programme of the Supplement on
        the contexts and estimates of the first rounds.
    slack : float
        delta of the Supplement for each round, used by "estimated".
    explore : int
        How many first rounds there are.
    """

    def __init__(self, info: InstanceInfo, Z: Ratio, slack: float, explore: int) -> None:
        if not info.n_resources:
            raise ValueError("a policy for knapsacks needs capacities: InstanceInfo(..., rho=C / T)")
        if explore < 0 or (Z == "estimated" and explore == 0):
            raise ValueError(f"explore = {explore} must be at least {int(Z == 'estimated')} with Z = {Z!r}")
        self.rho, self.slack = info.rho, slack
        self.contexts: list[Floats] = []
        self.waits = Z == "estimated"
        self.value = 0.0 if self.waits else _given_ratio(info, Z)

    def see(self, x: Floats) -> None:
        """Remember a context of the first rounds."""
        if self.waits:
            self.contexts.append(np.array(x))

    def settle(self, mu: Floats, W: Floats) -> None:
        """The first rounds are over: estimate Z if it is to be estimated."""
        if self.waits:
            self.value = max(estimate_Z(np.array(self.contexts), mu, W, self.rho, self.slack).Z, 0.0)
            self.waits = False


def _given_ratio(info: InstanceInfo, Z: Ratio) -> float:
    """The ratio that is known before the first round."""
    if Z == "oracle":
        if info.value is None:
            raise ValueError('Z = "oracle" needs the value V_UB / T of the instance')
        return info.value / float(info.rho.min())
    if not isinstance(Z, Real) or isinstance(Z, bool) or not 0 <= Z < np.inf:
        raise ValueError(f'Z = {Z!r} must be a number of at least 0, "oracle" or "estimated"')
    return float(Z)
