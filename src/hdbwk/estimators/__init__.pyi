from .lasso import SequentialLasso as SequentialLasso
from .online_ht import OnlineHT as OnlineHT
from .registry import make_estimator as make_estimator
