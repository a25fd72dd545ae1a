"""Algorithm 3: against the textbook, protocol and loop included; growth with d, none with t."""

import time

import numpy as np

from benchmarks.bars import Bar, at_least, at_most, exponent_at_most, seconds
from hdbwk import InstanceInfo, make_policy, rng, simulate
from hdbwk.environments import BanditInstance, BanditStream
from hdbwk.policies.parts.schedules import Exploration
from hdbwk.textbook.bandit import Bandit as TextbookBandit

ARMS, SPARSITY, ROUNDS = 5, 20, 1000
ESTIMATOR = {"sparsity": SPARSITY, "working_sparsity": SPARSITY}


def bars() -> list[Bar]:
    """All bars of this file."""
    stream = bandit_stream(100, ROUNDS)
    play(stream)  # load the kernels
    return [textbook_bar(stream), dimension_bar(), flat_bar(stream)]


def bandit_stream(dim: int, rounds: int) -> BanditStream:
    """The rounds of one trial of the paper's bandit, at any dimension."""
    return BanditInstance.draw(rng(1, "bench"), dim, 10, ARMS).sample(rounds, rng(1, "bench stream"))


def play(stream: BanditStream) -> None:
    """Greedy Online HT through the public loop."""
    info = InstanceInfo(stream.contexts.shape[1], ARMS, len(stream), rng(1, "policy"))
    simulate(make_policy("online_ht_bandit", info, estimator=ESTIMATOR), stream)


def textbook_bar(stream: BanditStream) -> Bar:
    """The textbook plays 200 rounds, ours all; its rounds all cost the same."""

    def textbook() -> None:
        policy = TextbookBandit(
            ARMS, 100, SPARSITY, SPARSITY, "normalized", Exploration(0.0, 0.0, ARMS), rng(1, "policy")
        )
        simulate(policy, stream[:200])

    ratio = seconds(textbook) * (ROUNDS / 200) / seconds(lambda: play(stream))
    return at_least("round of greedy Online HT, d = 100, K = 5, s0' = 20, against the textbook", 6, ratio)


def dimension_bar() -> Bar:
    """Seconds per round over d in 100..1600."""
    dims = [100, 200, 400, 800, 1600]
    streams = [bandit_stream(dim, 200) for dim in dims]
    costs = [seconds(lambda stream=stream: play(stream)) / 200 for stream in streams]
    return exponent_at_most("growth of a bandit round's cost with d in 100..1600", 2.0, dims, costs)


def flat_bar(stream: BanditStream) -> Bar:
    """Rounds 900-1000 against rounds 100-200, best of five."""
    early, late = [], []
    for _ in range(5):
        info = InstanceInfo(100, ARMS, ROUNDS, rng(1, "policy"))
        policy = make_policy("online_ht_bandit", info, estimator=ESTIMATOR)
        times = []
        for n in range(0, ROUNDS, 100):
            start = time.perf_counter()
            simulate(policy, stream[n : n + 100])
            times.append(time.perf_counter() - start)
        early.append(times[1])
        late.append(times[9])
    return at_most("bandit rounds 900-1000 against rounds 100-200", 1.3, float(np.min(late) / np.min(early)))
