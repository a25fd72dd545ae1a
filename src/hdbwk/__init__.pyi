from .core.seeds import rng as rng
from .diagnostics import diagnose as diagnose
from .estimators import OnlineHT as OnlineHT
from .estimators import OnlineLasso as OnlineLasso
from .policies import InstanceInfo as InstanceInfo
from .policies import make_policy as make_policy
from .simulation import simulate as simulate

__version__: str
