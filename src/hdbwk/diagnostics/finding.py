"""One measured constant of one assumption."""

from dataclasses import dataclass
from typing import Literal

How = Literal["certified", "search", "sample"]

ASSUMPTIONS = {
    "1.1": "bounded contexts",
    "1.2": "sparse eigenvalues",
    "2": "diverse covariates",
    "3": "static margin",
    "4(i)": "local diversity",
    "4(ii)": "local margin",
    "5.1": "second-order growth",
    "5.2": "non-degeneracy",
}
Z95 = 1.959963984540054  # the 97.5% quantile of the standard normal law


@dataclass(frozen=True)
class Finding:
    """
    What the data say of one constant.

    Attributes
    ----------
    assumption : str
        A key of `ASSUMPTIONS`.
    quantity : str
        The constant by the paper's name.
    estimate, low, high : float
        The value, and bounds or a 95% interval; NaN where there is none.
    how : {"certified", "search", "sample"}
        What the verdict rests on: bounds that are proved for the matrix at hand, the worst support or direction
        that a search found, or the frequencies of the sample.
    holds : bool or None
        None if the data do not decide.
    note : str
        What was compared, over what.
    """

    assumption: str
    quantity: str
    estimate: float
    low: float
    high: float
    how: How
    holds: bool | None
    note: str

    @property
    def verdict(self) -> str:
        """The verdict in a word."""
        return verdict(self.holds)


def verdict(holds: bool | None) -> str:
    """The word for a verdict."""
    return {True: "holds", False: "fails", None: "unclear"}[holds]


def above(threshold: float, low: float, high: float) -> bool | None:
    """Whether a constant with this interval exceeds a threshold."""
    if low > threshold:
        return True
    return False if high <= threshold else None
