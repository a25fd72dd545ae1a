"""High-dimensional linear bandits with knapsacks: the reference replication of Ma, Xia and Jiang."""

from typing import TYPE_CHECKING

from hdbwk.core.lazy import lazily

if TYPE_CHECKING:
    from hdbwk.core.seeds import rng
    from hdbwk.diagnostics import diagnose
    from hdbwk.estimators import OnlineHT, OnlineLasso
    from hdbwk.policies import InstanceInfo, make_policy
    from hdbwk.simulation import simulate

__version__ = "0.1.0"
__all__ = ["InstanceInfo", "OnlineHT", "OnlineLasso", "__version__", "diagnose", "make_policy", "rng", "simulate"]

__getattr__ = lazily(
    __name__,
    {
        "InstanceInfo": "hdbwk.policies",
        "OnlineHT": "hdbwk.estimators",
        "OnlineLasso": "hdbwk.estimators",
        "diagnose": "hdbwk.diagnostics",
        "make_policy": "hdbwk.policies",
        "rng": "hdbwk.core.seeds",
        "simulate": "hdbwk.simulation",
    },
)
