"""The engines of OnlineHT: growth with d and memory of the active one, its gain on the Gram, and the choice of auto."""

import json
import subprocess
import sys
from functools import partial

import numpy as np

from benchmarks.bars import Bar, at_least, at_most, exponent_at_most, in_turns, seconds
from benchmarks.peak import peak
from hdbwk import OnlineHT, rng

SPARSITY, ROUNDS = 10, 1000
DIMS = [3_000, 10_000, 30_000, 100_000]
GRAM_DIM, GRAM_ROUNDS = 10_000, 200
AUTO_DIM, AUTO_WORKING = 1000, [5, 20, 100, 140, 200]


def bars() -> list[Bar]:
    """All bars of this file."""
    OnlineHT(2, engine="gram").fit(*regression(20, 100))  # load the kernels
    OnlineHT(2, engine="active").fit(*regression(20, 100))
    runs = [in_own_process(dim) for dim in DIMS]
    name = "active engine, T = 1000, s = 20"
    return [
        exponent_at_most(f"{name}: growth of a round's cost with d in 3000..100000", 1.25, DIMS, [r[0] for r in runs]),
        at_most(f"{name}, d = 100000: peak memory of the process, data included", 3, runs[-1][1], " GB"),
        gram_bar(),
        auto_bar(),
    ]


def regression(dim: int, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Independent normal contexts, ten non-zero coefficients, noise 0.5."""
    generator = rng(1, "engines")
    X = generator.standard_normal((rounds, dim))
    signal = generator.uniform(0.5, 1, SPARSITY)
    return X, X[:, generator.choice(dim, SPARSITY, replace=False)] @ signal + 0.5 * generator.standard_normal(rounds)


def gram_bar() -> Bar:
    """Both engines on the same rows."""
    X, y = regression(GRAM_DIM, GRAM_ROUNDS)
    gram = seconds(lambda: OnlineHT(SPARSITY, engine="gram").fit(X, y), repeats=1)
    active = seconds(lambda: OnlineHT(SPARSITY, engine="active").fit(X, y))
    return at_least(f"active engine against the Gram, d = {GRAM_DIM}, T = {GRAM_ROUNDS}, s = 20", 10, gram / active)


def auto_bar() -> Bar:
    """The worst of a few working sparsities on both sides of the choice."""
    X, y = regression(AUTO_DIM, ROUNDS)
    ratios = []
    for working in AUTO_WORKING:
        models = [OnlineHT(SPARSITY, working, engine=engine) for engine in ("auto", "gram", "active")]
        auto, gram, active = in_turns([partial(model.fit, X, y) for model in models])
        ratios.append(auto / min(gram, active))
    return at_most("auto against the better engine, d = 1000, T = 1000, worst of s in 5..200", 1.2, max(ratios))


def in_own_process(dim: int) -> tuple[float, float]:
    """Seconds and peak memory in GB of the active engine over all rounds."""
    command = [sys.executable, "-m", "benchmarks.engines", str(dim)]
    used, memory = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return used, memory


def measure(dim: int) -> tuple[float, float]:
    """What `in_own_process` reports."""
    OnlineHT(2, engine="active").fit(*regression(20, 40))
    X, y = regression(dim, ROUNDS)
    used = seconds(lambda: OnlineHT(SPARSITY, engine="active").fit(X, y), repeats=5)
    return used, peak() / 1024


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
