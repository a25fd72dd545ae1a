"""
What others would use
=====================

The field on one small task: sparse methods beside the dense ones that everybody has. `hdbwk list NAME` shows what can
be tuned.
"""

import matplotlib.pyplot as plt
import numpy as np

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.environments import BanditInstance

T, TRIALS = 400, 4
POLICIES = ("online_ht_bandit", "th_lasso", "sa_lasso", "lasso_bandit", "greedy_ridge", "linucb", "lints")


def final_regret(name, trial):
    instance = BanditInstance.draw(rng(4, "field", trial), dim=60, sparsity=5, n_arms=4)
    stream = instance.sample(T, rng(4, "field stream", trial))
    info = InstanceInfo(dim=60, n_arms=4, horizon=T, rng=rng(4, "field policy", trial))
    return simulate(make_policy(name, info), stream).regret[-1]


finals = {name: np.array([final_regret(name, trial) for trial in range(TRIALS)]) for name in POLICIES}
order = sorted(POLICIES, key=lambda name: finals[name].mean())

figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
axes.barh(order, [finals[name].mean() for name in order], color="#0072B2", alpha=0.6)
for name in order:
    axes.plot(finals[name], [name] * TRIALS, "o", color="0.2", markersize=3)
axes.invert_yaxis()
axes.set(xlabel=f"regret after {T} rounds (dots: trials)")
plt.show()
