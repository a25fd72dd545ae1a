"""
How many entries to keep between rounds
=======================================

Algorithm 1 keeps s entries and outputs s0 of them. Where neighbouring columns are nearly alike, a larger s lets a
wrong coordinate be replaced by the right one beside it.
"""

import matplotlib.pyplot as plt

from hdbwk import OnlineHT, rng
from hdbwk.environments import RecoveryInstance

S0, KEPT, TRIALS = 8, (8, 12, 16, 24, 32, 48), 10
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
for correlation, style in ((0.5, "o-"), (0.9, "s--")):
    errors = []
    for kept in KEPT:
        error = 0.0
        for trial in range(TRIALS):
            instance = RecoveryInstance.draw(rng(2, "kept", trial), dim=200, sparsity=S0, correlation=correlation)
            stream = instance.sample(500, rng(2, "kept stream", trial))
            model = OnlineHT(sparsity=S0, working_sparsity=kept).partial_fit(stream.contexts, stream.rewards)
            error += ((model.coef_ - instance.mu) ** 2).sum() / TRIALS
        errors.append(error)
    axes.semilogy(KEPT, errors, style, label=rf"correlation of neighbours {correlation}")
axes.set(xlabel="entries kept between rounds, $s$", ylabel="squared error after 500 rows")
axes.legend()
plt.show()
