"""
A sparse bandit: greedy, epsilon-greedy, explore then commit
============================================================

All policies meet the same contexts and the same noise, so that their differences are their own.
"""

import matplotlib.pyplot as plt
import numpy as np

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.environments import BanditInstance

T, TRIALS = 500, 4
POLICIES = {
    "greedy Online HT": ("online_ht_bandit", {}),
    r"$\epsilon$-greedy Online HT": ("online_ht_bandit", {"epsilon": 0.1}),
    "LASSO, explore then commit": ("lasso_etc", {"unit": "per_arm", "scale": 0.25}),
    "uniform": ("uniform", {}),
}
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
for (label, (name, params)), style in zip(POLICIES.items(), ("-", "--", "-.", ":"), strict=True):
    curves = []
    for trial in range(TRIALS):
        instance = BanditInstance.draw(rng(3, "bandit", trial), dim=60, sparsity=5, n_arms=4)
        stream = instance.sample(T, rng(3, "bandit stream", trial))
        info = InstanceInfo(dim=60, n_arms=4, horizon=T, rng=rng(3, "bandit policy", trial))
        curves.append(simulate(make_policy(name, info, **params), stream).regret)
    axes.plot(np.arange(1, T + 1), np.mean(curves, axis=0), style, label=label)
axes.set(xlabel="round $t$", ylabel="regret", ylim=(0, 500))
axes.legend()
plt.show()
