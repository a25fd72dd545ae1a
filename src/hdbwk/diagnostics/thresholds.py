"""From which values on a constant counts as good, bounded or positive."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Thresholds:
    """
    What `diagnose` asks of the constants.

    Parameters
    ----------
    kappa_max : float
        Largest condition number that counts as bounded.
    gamma_min : float
        Smallest gamma (or lambda_0) that counts as positive, as a share of the mean square of a context's entries.
    margin_max : float
        Largest M that counts as finite, in units of one over the median gap (at least 1/2 in any case).
    growth_min : float
        Smallest L that counts as positive, in units of V / l^2 with l = V / mean(rho), the scale of |lambda*|_1.
    degenerate : float
        A resource is degenerate if neither its price nor its slack differs from zero, while the price is surely below
        this share of V / (m rho_i) and the slack surely below this share of rho_i.
    radius : float
        Local conditions are looked at for prices up to this share of V / mean(rho) away from lambda*.
    """

    kappa_max: float = 100.0
    gamma_min: float = 0.05
    margin_max: float = 10.0
    growth_min: float = 1e-3
    degenerate: float = 0.05
    radius: float = 0.05
