"""Algorithm 2: against the textbook, and against the baseline linCBwK."""

from functools import partial

import numpy as np

from benchmarks.bars import Bar, at_least, at_most, in_turns, seconds
from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.environments.cbwk import CBwKInstance, CBwKStream
from hdbwk.policies.parts.prices import learning_rate
from hdbwk.policies.parts.schedules import Exploration
from hdbwk.textbook.parts import Estimates
from hdbwk.textbook.primal_dual import PrimalDual

DIM, ARMS, RESOURCES, SPARSITY, ROUNDS = 200, 5, 10, 20, 1000
TEXTBOOK_ROUNDS = 60
RATIO = 5.0  # Z, about V_UB / C_min
HEDGE = {"delta_scale": 1.0, "cost_bound": 1.0}
PARAMS = {
    "primal_dual": {"estimator": {"sparsity": SPARSITY, "working_sparsity": SPARSITY}, **HEDGE},
    "lincbwk": HEDGE,
}


def bars() -> list[Bar]:
    """All bars of this file."""
    stream = CBwKInstance.draw(rng(1, "bench"), DIM, 10, ARMS, RESOURCES).sample(ROUNDS, rng(1, "bench stream"))
    for name in PARAMS:
        play(name, stream[:20])  # load the kernels
    ours, baseline = np.divide(in_turns([partial(play, name, stream) for name in PARAMS], repeats=15), ROUNDS)
    textbook = seconds(lambda: play_textbook(stream[:TEXTBOOK_ROUNDS]), repeats=2) / TEXTBOOK_ROUNDS
    size = "d = 200, K = 5, m = 10, s0' = 20"
    return [
        at_least(f"round of Algorithm 2, {size}, against the textbook", 8, textbook / ours, f"{1e3 * ours:.2f} ms"),
        at_most(f"round of Algorithm 2, {size}, against one of linCBwK", 2, ours / baseline),
    ]


def play(name: str, stream: CBwKStream) -> None:
    """A policy through the public loop, to the last round."""
    info = InstanceInfo(DIM, ARMS, len(stream), rng(1, "policy"), rho=stream.rho)
    simulate(make_policy(name, info, Z=RATIO, **PARAMS[name]), stream, "skip")


def play_textbook(stream: CBwKStream) -> None:
    """The textbook's rounds all cost the same, so a few are enough."""
    estimates = Estimates(ARMS, RESOURCES, DIM, SPARSITY, SPARSITY, "normalized")
    delta = learning_rate(1.0, len(stream), RESOURCES, 1.0)
    epsilon = Exploration(1 / ARMS, 0.0, ARMS)  # uniform, as ours in its first rounds
    simulate(PrimalDual(estimates, epsilon, stream.rho, delta, RATIO, True, rng(1, "policy")), stream, "skip")
