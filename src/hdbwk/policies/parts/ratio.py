"""The reward-constraint ratio Z: given, known from the truth, or estimated from the first rounds."""

import numpy as np

from hdbwk.core.validation import Floats
from hdbwk.dual.ratio import estimate_Z
from hdbwk.policies.parts.params import Ratio
from hdbwk.policies.parts.protocol import InstanceInfo


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
    """

    def __init__(self, info: InstanceInfo, Z: Ratio, slack: float) -> None:
        if not info.n_resources:
            raise ValueError("a policy for knapsacks needs capacities: InstanceInfo(..., rho=C / T)")
        self.rho, self.slack = info.rho, slack
        self.contexts: list[Floats] = []
        self.waits = Z == "estimated"
        self.value = 0.0 if self.waits else _given_ratio(info, Z)

    def see(self, x: Floats) -> None:
        """Remember a context of the first rounds."""
        if self.waits:
            self.contexts.append(np.array(x))

    def settle(self, coef: Floats) -> None:
        """The first rounds are over: estimate Z, if it is to be estimated, by the parameters (K, 1 + m, d)."""
        if self.waits:
            estimate = estimate_Z(np.array(self.contexts), coef[:, 0], coef[:, 1:], self.rho, self.slack)
            self.value = max(estimate.Z, 0.0)
            self.waits = False


def _given_ratio(info: InstanceInfo, Z: Ratio) -> float:
    """The ratio that is known before the first round."""
    if Z != "oracle":
        return float(Z)
    if info.value is None:
        raise ValueError('Z = "oracle" needs the value V_UB / T of the instance')
    return info.value / float(info.rho.min())
