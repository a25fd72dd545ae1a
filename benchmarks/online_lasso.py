"""OnlineLasso: its rounds against those of OnlineHT, their growth, and its error against other estimators."""

from functools import partial

import numpy as np

from benchmarks.bars import Bar, all_of, at_most, exponent_at_most, in_turns, seconds
from benchmarks.comparison.refits import best_subset, matching_pursuit, sklearn_lasso
from benchmarks.engines import regression
from hdbwk import InstanceInfo, OnlineHT, OnlineLasso, make_policy, rng, simulate
from hdbwk.environments import CBwKInstance, RecoveryInstance

SPARSITY, WORKING, ROUNDS = 10, 20, 1000
DIMS = [3_000, 10_000, 30_000]
READINGS = (60, 80, 100, 150, 200, 400, 1000)
JUDGED = 100  # the first reading that is judged
TRIALS = 20


def bars() -> list[Bar]:
    """All bars of this file."""
    for engine in ("gram", "active"):  # load the kernels
        OnlineLasso(2, engine=engine).fit(*regression(20, 100))
    return [
        ratio_bar(1000, ROUNDS, "gram"),
        ratio_bar(1000, ROUNDS, "active"),
        ratio_bar(10_000, ROUNDS, "active"),
        growth_bar(),
        flat_bar(),
        policy_bar(),
        *(error_bar(correlation) for correlation in (0.5, 0.9)),
    ]


def ratio_bar(dim: int, rounds: int, engine: str) -> Bar:
    """Both estimators on the same rows."""
    X, y = regression(dim, rounds)
    models = [OnlineLasso(SPARSITY, engine=engine), OnlineHT(SPARSITY, WORKING, engine=engine)]
    lasso, ht = in_turns([partial(model.fit, X, y) for model in models], repeats=5)
    return at_most(f"OnlineLasso against OnlineHT, {engine} engine, d = {dim}, T = {rounds}", 2, lasso / ht)


def growth_bar() -> Bar:
    """The active engine over all rounds."""
    costs = [seconds(partial(OnlineLasso(SPARSITY, engine="active").fit, *regression(dim, ROUNDS))) for dim in DIMS]
    return exponent_at_most("OnlineLasso, active engine: growth with d in 3000..30000", 1.3, DIMS, costs)


def flat_bar() -> Bar:
    """Rounds 900-1000 against rounds 100-200, best of five."""
    X, y = regression(1000, ROUNDS)
    early, late = [], []
    for _ in range(5):
        model = OnlineLasso(SPARSITY, engine="gram")
        parts = [
            seconds(partial(model.partial_fit, X[n : n + 100], y[n : n + 100]), repeats=1)
            for n in range(0, ROUNDS, 100)
        ]
        early.append(parts[1])
        late.append(parts[9])
    return at_most("OnlineLasso, rounds 900-1000 against rounds 100-200", 1.3, min(late) / min(early))


def policy_bar() -> Bar:
    """Algorithm 2 with each of the two."""
    instance = CBwKInstance.draw(rng(1, "bench"), 200, SPARSITY, 5, 10)
    stream = instance.sample(ROUNDS, rng(1, "bench stream"), value=1.5)

    def play(estimator: str) -> None:
        info = InstanceInfo(200, 5, ROUNDS, rng(1, "policy"), rho=instance.rho, value=1.5)
        simulate(make_policy("primal_dual", info, estimator={"name": estimator}), stream, "skip")

    lasso, ht = in_turns([partial(play, name) for name in ("online_lasso", "online_ht")])
    return at_most("a round of Algorithm 2 with OnlineLasso against OnlineHT, d = 200, K = 5, m = 10", 2, lasso / ht)


def error_bar(correlation: float) -> Bar:
    """Mean squared errors of all contenders at the readings."""
    errors: dict[str, list[list[float]]] = {}
    for trial in range(TRIALS):
        instance = RecoveryInstance.draw(rng(trial, "error"), 1000, SPARSITY, correlation=correlation)
        stream = instance.sample(max(READINGS), rng(trial, "error stream"))
        for name, found in readings(stream.contexts, stream.rewards).items():
            errors.setdefault(name, []).append([float(np.sum((coef - instance.mu) ** 2)) for coef in found])
    means = {name: np.mean(rows, axis=0) for name, rows in errors.items()}
    ours = means.pop("OnlineLasso")
    facts = [
        bool(ours[i] <= 1.1 * min(mean[i] for mean in means.values())) for i, t in enumerate(READINGS) if t >= JUDGED
    ]
    return all_of(f"error of OnlineLasso within 10% of the best, correlation {correlation}, t = 100..1000", facts)


def readings(X: np.ndarray, y: np.ndarray) -> dict[str, list[np.ndarray]]:
    """The estimates of all contenders after each reading."""
    makers = {"LASSO": sklearn_lasso, "OMP": matching_pursuit, "abess": best_subset}
    ours = {"OnlineLasso": OnlineLasso(SPARSITY), "OnlineHT": OnlineHT(SPARSITY, WORKING)}
    found: dict[str, list[np.ndarray]] = {name: [] for name in (*makers, *ours)}
    start = 0
    for t in READINGS:
        for name, make in makers.items():
            found[name].append(make().update(X[:t], y[:t]))
        for name, model in ours.items():
            found[name].append(model.partial_fit(X[start:t], y[start:t]).coef_)
        start = t
    return found
