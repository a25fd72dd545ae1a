from .lasso import SequentialLasso as SequentialLasso
from .online_ht.regressor import OnlineHT as OnlineHT
from .online_lasso.regressor import OnlineLasso as OnlineLasso
from .regressors import make_estimator as make_estimator
