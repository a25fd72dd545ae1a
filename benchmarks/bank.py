"""The regressions of a CBwK round: against the plain loop over them, and how their cost grows with m and K."""

from collections.abc import Callable

import numpy as np

from benchmarks.bars import Bar, at_most, exponent_at_most, in_turns
from hdbwk import rng
from hdbwk.core.compiled import kernel
from hdbwk.core.validation import Floats
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.estimators.online_ht.threshold import sift_down, sift_up
from hdbwk.estimators.registry import OnlineHTParams, make_bank

DIM, ARMS, RESOURCES, SPARSITY, ROUNDS = 200, 5, 10, 10, 1000
GROWTH_ROUNDS = 400
ROWS = 100  # of each arm, where K grows at equal rows an arm

Row = tuple[Floats, int, Floats]  # a context, the arm that was pulled, its reward and consumptions
Update = Callable[[Floats, int, Floats, float], None]
Make = Callable[[int, int], Update]  # from the numbers of arms and outputs


def bars() -> list[Bar]:
    """All bars of this file."""
    growth_m, growth_k = [5, 10, 20, 40], [3, 6, 12, 24]
    cost_m = in_turns([work(bank, ARMS, m, GROWTH_ROUNDS) for m in growth_m])
    cost_k = in_turns([work(bank, arms, RESOURCES, GROWTH_ROUNDS) for arms in growth_k])
    at_equal_rows = np.divide(in_turns([work(bank, arms, RESOURCES, ROWS * arms) for arms in growth_k]), growth_k)
    ours, plain = in_turns([work(make, ARMS, RESOURCES, ROUNDS) for make in (bank, plain_loop)], repeats=15)
    return [
        at_most(
            "regressions of a CBwK round, d = 200, K = 5, m = 10, s = 10, against the plain loop", 0.25, ours / plain
        ),
        exponent_at_most("growth of their cost with 1 + m in 6..41", 1.1, [1 + m for m in growth_m], cost_m),
        exponent_at_most("growth of their cost with K in 3..24", 1.1, growth_k, cost_k),
        exponent_at_most("the same at equal rows an arm", 1.1, growth_k, at_equal_rows),
    ]


def work(make: Make, arms: int, resources: int, n: int) -> Callable[[], None]:
    """What learns from n rounds with uniform pulls, its kernels loaded."""
    rounds = uniform_pulls(arms, resources, n)
    run(make(arms, 1 + resources), rounds[:3])
    return lambda: run(make(arms, 1 + resources), rounds)


def uniform_pulls(arms: int, resources: int, n: int) -> list[Row]:
    """Rounds of the paper's CBwK instance."""
    stream = CBwKInstance.draw(rng(1, "bench"), DIM, 10, arms, resources).sample(n, rng(1, "bench stream"))
    pulls = rng(1, "pulls").integers(arms, size=n)
    responses = np.concatenate([stream.rewards[:, :, None], stream.consumptions], axis=2)
    return [(x, int(a), y[a]) for x, a, y in zip(stream.contexts, pulls, responses, strict=True)]


def run(update: Update, rounds: list[Row]) -> None:
    """Learn from all rounds, with the weight of uniform pulls."""
    for x, arm, targets in rounds:
        update(x, arm, targets, 1.0)


def bank(arms: int, outputs: int) -> Update:
    """Ours."""
    return make_bank(OnlineHTParams(sparsity=SPARSITY, working_sparsity=SPARSITY), arms, outputs, DIM).update


def plain_loop(arms: int, outputs: int) -> Update:
    """K (1 + m) regressions, one after the other: compiled, each with its own sums and a full selection every round."""
    gram, moment = np.zeros((arms, outputs, DIM, DIM)), np.zeros((arms, outputs, DIM))
    mu = np.zeros((arms, outputs, DIM))

    def update(x: Floats, arm: int, targets: Floats, weight: float) -> None:
        _plain_round(gram, moment, mu, x, arm, targets, weight, SPARSITY)

    return update


@kernel
def _plain_round(gram, moment, mu, x, arm, targets, weight, s):
    for a in range(mu.shape[0]):
        for k in range(mu.shape[1]):
            if a == arm:
                _add_row(gram[a, k], moment[a, k], x, targets[k], weight)
            _descend(gram[a, k], moment[a, k], mu[a, k], s)


@kernel
def _add_row(gram, moment, x, target, weight):
    for i in range(x.size):
        moment[i] += weight * target * x[i]
        for j in range(x.size):
            gram[i, j] += weight * x[i] * x[j]


@kernel
def _descend(gram, moment, mu, s):
    """Lines 8 and 9 with the normalised step."""
    gradient = -moment
    chosen = np.empty(s, dtype=np.int64)
    support = np.flatnonzero(mu)
    for j in support:
        for i in range(mu.size):
            gradient[i] += mu[j] * gram[j, i]
    if support.size == 0:
        _select(gradient, s, chosen)
        support = chosen.copy()
    squares = curvature = 0.0
    for i in support:
        squares += gradient[i] ** 2
        for j in support:
            curvature += gradient[i] * gram[i, j] * gradient[j]
    if curvature > 0.0:
        v = mu - squares / curvature * gradient
        _select(v, s, chosen)
        mu[:] = 0.0
        for i in chosen:
            mu[i] = v[i]


@kernel
def _select(v, s, out):
    """The s coordinates of largest |v|, by a heap that every entry is compared with."""
    for i in range(s):
        sift_up(v, out, i, i)
    for i in range(s, v.size):
        if abs(v[i]) > abs(v[out[0]]):
            sift_down(v, out, s, i)
