"""
Capacities and prices inside one run
====================================

Algorithm 4 solves for the prices of its estimates and of what is left, in every round. A resource that runs out early
grows dear.
"""

import matplotlib.pyplot as plt
import numpy as np

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.dual import fluid_value
from hdbwk.environments import CBwKInstance

T = 400
instance = CBwKInstance.draw(rng(5, "prices"), dim=60, sparsity=5, n_arms=4, n_resources=3, nonnegative=True)
fluid = fluid_value(instance, rng(5, "prices fluid"), n=20_000)
stream = instance.sample(T, rng(5, "prices stream"), fluid.value)
info = InstanceInfo(60, 4, T, rng(5, "prices policy"), rho=instance.rho, value=fluid.value)
record = simulate(make_policy("resolving", info, explore=40), stream, exit_rule="skip")

left = 1 - np.cumsum(record.consumption, axis=0) / stream.capacity
figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 4.5), sharex=True, layout="constrained")
for i, (colour, style) in enumerate(zip(("#0072B2", "#D55E00", "#009E73"), ("-", "--", "-."), strict=True)):
    top.plot(left[:, i], style, color=colour, label=f"resource {i + 1}")
    bottom.plot(record.prices[:, i], style, color=colour)
    bottom.axhline(fluid.lam[i], color=colour, linestyle=":", linewidth=1)
top.set(ylabel="share that is left")
top.legend()
bottom.set(xlabel="round $t$", ylabel=r"price (dotted: $\lambda^*$)")
plt.show()
