"""
Sparse recovery while rows arrive
=================================

Online HT keeps a few coefficients between rows, the online LASSO all that its penalty leaves. Both take a row once, and
`coef_`, which has s0 entries, may be read after any of them.
"""

import matplotlib.pyplot as plt
import numpy as np

from hdbwk import OnlineHT, OnlineLasso, rng
from hdbwk.environments import RecoveryInstance

instance = RecoveryInstance.draw(rng(1, "gallery"), dim=400, sparsity=8)
stream = instance.sample(400, rng(1, "gallery stream"))
models = {
    "Online HT, s = 8": OnlineHT(sparsity=8, working_sparsity=8),
    "Online HT, s = 16": OnlineHT(sparsity=8, working_sparsity=16),
    "online LASSO": OnlineLasso(sparsity=8),
}
rounds = np.arange(10, 401, 10)
errors = {name: [] for name in models}
for t in rounds:
    rows = slice(t - 10, t)
    for name, model in models.items():
        model.partial_fit(stream.contexts[rows], stream.rewards[rows])
        errors[name].append(((model.coef_ - instance.mu) ** 2).sum())

figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
for (name, error), style in zip(errors.items(), ("-", "--", ":"), strict=True):
    axes.semilogy(rounds, error, style, label=name)
axes.set(xlabel="rows $t$", ylabel="squared error of the estimate")
axes.legend()
plt.show()
