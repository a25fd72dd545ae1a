"""
Another estimator inside the same policy
========================================

Algorithms 2 to 4 take what they learn by as a parameter: Online HT, an online LASSO, ridge regression.
"""

import matplotlib.pyplot as plt
import numpy as np

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.dual import fluid_value
from hdbwk.environments import CBwKInstance

T, TRIALS = 300, 3
ESTIMATORS = {
    "Online HT": {"name": "online_ht", "sparsity": 5},
    "online LASSO": {"name": "online_lasso", "sparsity": 5},
    "ridge": {"name": "ridge"},
}
curves = {label: [] for label in ESTIMATORS}
for trial in range(TRIALS):
    instance = CBwKInstance.draw(rng(8, "exchange", trial), dim=60, sparsity=5, n_arms=4, n_resources=4)
    value = fluid_value(instance, rng(8, "exchange fluid", trial), n=20_000).value
    stream = instance.sample(T, rng(8, "exchange stream", trial), value)
    for label, estimator in ESTIMATORS.items():
        info = InstanceInfo(60, 4, T, rng(8, "exchange policy", trial), rho=instance.rho, value=value)
        policy = make_policy("primal_dual", info, estimator=estimator)
        curves[label].append(simulate(policy, stream, exit_rule="skip").regret)

figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
for (label, runs), style in zip(curves.items(), ("-", "--", ":"), strict=True):
    axes.plot(np.arange(1, T + 1), np.mean(runs, axis=0), style, label=label)
axes.set(xlabel="round $t$", ylabel=f"regret of Algorithm 2, mean of {TRIALS} trials")
axes.legend()
plt.show()
