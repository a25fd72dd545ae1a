"""Peak memory of a contender in a process of its own: `python -m benchmarks.comparison.memory NAME D T`."""

import subprocess
import sys
from collections.abc import Iterator

import benchmarks.environment  # noqa: F401
from benchmarks.comparison.contenders import CONTENDERS
from benchmarks.comparison.rounds import NOT_INSTALLED, Row
from benchmarks.comparison.sizes import Sizes, recovery
from benchmarks.peak import peak

ROUNDS = 3


def memory(sizes: Sizes) -> Iterator[Row]:
    """What a few rounds add to the memory of a process that holds the data, in MB."""
    for name, contender in CONTENDERS.items():
        row = {"comparison": "memory", "contender": name, "t": sizes.round, "d": sizes.memory_dim}
        if not contender.installed:
            yield row | {"note": NOT_INSTALLED}
            continue
        command = [sys.executable, "-m", "benchmarks.comparison.memory", name, str(sizes.memory_dim), str(sizes.round)]
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        yield row | {"megabytes": float(answer.stdout)}


def added_memory(name: str, dim: int, rounds: int) -> float:
    """The rows come as one batch, then a few one by one."""
    contender = CONTENDERS[name]
    _, small = recovery(40, 30)
    contender.make().start(small.contexts, small.rewards)  # load the library
    _, stream = recovery(dim, rounds + ROUNDS)
    X, y = stream.contexts, stream.rewards
    before = peak()
    learner = contender.make()
    learner.start(X[:rounds], y[:rounds])
    for i in range(rounds, rounds + ROUNDS):
        learner.update(X[i : i + 1], y[i : i + 1])
    return peak() - before


if __name__ == "__main__":
    print(added_memory(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
