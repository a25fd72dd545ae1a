"""
A dual and its certificate
==========================

With one resource the dual function can be drawn. The solver returns the price, the value, and a proven bound on how
far from the minimum that value can be.
"""

import matplotlib.pyplot as plt
import numpy as np

from hdbwk import rng
from hdbwk.dual import solve_dual

random = rng(7, "dual")
rewards, costs, rho = random.gamma(2.0, size=(300, 3)), random.gamma(2.0, size=(300, 3, 1)), np.array([0.6])
solution = solve_dual(rewards, costs, rho, Z=5.0)
print(f"price {solution.lam[0]:.6f}, value {solution.value:.6f}, gap {solution.gap:.1e}")

prices = np.linspace(0, 3, 300)
values = [np.maximum((rewards - lam * costs[:, :, 0]).max(axis=1), 0).mean() + rho[0] * lam for lam in prices]
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
axes.plot(prices, values, label=r"$F(\lambda)$")
axes.plot(solution.lam[0], solution.value, "o", color="#D55E00", label="solution")
axes.set(xlabel=r"price $\lambda$", ylabel="dual value")
axes.legend()
plt.show()
