"""
The end of a run: EXIT, or refuse one query
===========================================

The paper's algorithms stop at the first query that exceeds a capacity. If that query alone is refused, the run goes
on.
"""

import matplotlib.pyplot as plt
import numpy as np

from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.dual import fluid_value
from hdbwk.environments import CBwKInstance

T = 400
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
for trial, colour in zip(range(3), ("#0072B2", "#D55E00", "#009E73"), strict=True):
    instance = CBwKInstance.draw(rng(6, "exit", trial), dim=60, sparsity=5, n_arms=4, n_resources=6)
    value = fluid_value(instance, rng(6, "exit fluid", trial), n=20_000).value
    stream = instance.sample(T, rng(6, "exit stream", trial), value)
    for rule, style in (("exit", "-"), ("skip", ":")):
        info = InstanceInfo(60, 4, T, rng(6, "exit policy", trial), rho=instance.rho, value=value)
        record = simulate(make_policy("resolving", info, explore=40), stream, exit_rule=rule)
        axes.plot(np.arange(1, T + 1), record.regret, style, color=colour, label=f"trial {trial + 1}, {rule}")
        if record.stopping_time < T:
            axes.plot(record.stopping_time, record.regret[record.stopping_time - 1], "o", color=colour)
axes.set(xlabel="round $t$ (dots: the run ended)", ylabel="regret")
axes.legend(ncols=3)
plt.show()
