"""The Gram engine of OnlineHT: against the textbook loop, flat in t, one d x d matrix of memory."""

import subprocess
import sys

import numpy as np

from benchmarks.bars import Bar, at_least, at_most, seconds
from benchmarks.peak import peak
from hdbwk import OnlineHT, rng
from hdbwk.environments import RecoveryInstance
from hdbwk.textbook.online_ht import OnlineHT as TextbookOnlineHT

DIM, ROUNDS = 1000, 1000
LARGE_DIM = 4000


def bars() -> list[Bar]:
    """All bars of this file."""
    stream = RecoveryInstance.draw(rng(1, "bench"), DIM, 10).sample(ROUNDS, rng(1, "bench stream"))
    X, y = stream.contexts, stream.rewards
    OnlineHT(10, 20, engine="gram").fit(X[:40], y[:40])  # load the kernels
    return [textbook_bar(X, y), flat_bar(X, y), memory_bar()]


def textbook_bar(X: np.ndarray, y: np.ndarray) -> Bar:
    """The textbook is timed on 100 rounds (its rounds all cost the same), ours on all."""

    def textbook() -> None:
        model = TextbookOnlineHT(DIM, 10, 20, "normalized")
        for x, r in zip(X[:100], y[:100], strict=True):
            model.update(x, r)

    ratio = seconds(textbook) * 10 / seconds(lambda: OnlineHT(10, 20, engine="gram").partial_fit(X, y))
    return at_least("OnlineHT.partial_fit, d = 1000, T = 1000, s = 20, against the textbook loop", 25, ratio)


def flat_bar(X: np.ndarray, y: np.ndarray) -> Bar:
    """Rounds 900-1000 against rounds 100-200 of the same estimator, row by row, best of five."""
    early, late = [], []
    for _ in range(5):
        model = OnlineHT(10, 20, engine="gram")
        parts = [
            seconds(lambda n=n, model=model: model.partial_fit(X[n : n + 100], y[n : n + 100]), repeats=1)
            for n in range(0, ROUNDS, 100)
        ]
        early.append(parts[1])
        late.append(parts[9])
    return at_most("OnlineHT, rounds 900-1000 against rounds 100-200", 1.3, min(late) / min(early))


def memory_bar() -> Bar:
    """Peak memory above that of the process that has loaded everything, in d x d matrices of floats."""
    command = [sys.executable, "-m", "benchmarks.online_ht"]
    extra = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return at_most("OnlineHT at d = 4000, peak memory in d x d matrices", 1.6, extra, "")


def peak_matrices() -> float:
    """What a fit at d = 4000 adds to the peak memory of this process, in d x d matrices."""
    small = rng(1, "memory").standard_normal((40, 20))
    OnlineHT(3, engine="gram").fit(small, small[:, 0])
    X = rng(1, "memory").standard_normal((100, LARGE_DIM))
    before = peak()
    OnlineHT(10, 20, engine="gram").partial_fit(X, X[:, 0])
    return (peak() - before) * 2**20 / (LARGE_DIM**2 * 8)


if __name__ == "__main__":
    print(peak_matrices())
