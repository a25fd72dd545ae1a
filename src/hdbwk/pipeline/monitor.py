"""How far a run of many jobs is: the chunks on disk, and how long they took."""

import csv
import time
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from hdbwk.pipeline.chunks import trials_of
from hdbwk.pipeline.tables import Origin, read_origin

START_UP = 3.0  # seconds that a job needs before its first trial, roughly
UNTIMED = 0.1  # share of the trials left that may belong to methods of unknown cost
SHORT = 60  # seconds; a lower bound below is not worth a word


class Planned(NamedTuple):
    """A chunk to be written: what it will say of its origin, and what it costs alike (experiment and algorithm)."""

    origin: Origin
    kind: Hashable


class Monitor:
    """
    Counts simulations and estimates the time left.

    Costs differ a hundredfold between methods, so each kind is known by its own chunks alone: those of this run, and of
    an earlier one if they have the same origin. While more than a few trials are of kinds that were not timed, the
    others give a lower bound.

    Parameters
    ----------
    chunks : mapping
        The files that the run will write, named by `hdbwk.pipeline.chunks.chunk_names`.
    cores : int
        How many of them are written at once.
    """

    def __init__(self, chunks: Mapping[Path, Planned], cores: int) -> None:
        self.chunks, self.cores = chunks, cores
        self.trials = {chunk: len(trials_of(chunk.stem)) for chunk in chunks}
        self.before = {chunk: _modified(chunk) for chunk in chunks}
        self.seconds: dict[Hashable, list[float]] = defaultdict(list)  # for a trial of a kind, as chunks say
        for chunk in self.trials:
            self._learn(chunk)
        self.waiting = set(self.trials)
        self.start: float | None = None

    def update(self) -> None:
        """Look for chunks that were written since the last look; the clock starts with the first look."""
        self.start = time.monotonic() if self.start is None else self.start
        written = {chunk for chunk in self.waiting if _modified(chunk) > self.before[chunk]}
        for chunk in written:
            self._learn(chunk)
        self.waiting -= written

    def line(self) -> str:
        """One line for the terminal."""
        done = sum(self.trials[chunk] for chunk in self._finished())
        return f"simulations done: {done} of {sum(self.trials.values())}{self._left()}"

    def _left(self) -> str:
        """The time left, as far as it is known."""
        timed = list(filter(self._is_timed, self.waiting))
        if not timed:
            return ""
        known, trials = sum(self.trials[chunk] for chunk in timed), sum(self.trials[chunk] for chunk in self.waiting)
        if trials - known <= UNTIMED * trials:
            return f", about {duration(self._estimate(timed) * trials / known)} left"
        least = self._least(timed)
        return f", at least {duration(least)} left" if least >= SHORT else ""

    def _estimate(self, chunks: list[Path]) -> float:
        """Seconds for some chunks; those that are under way are taken for half done."""
        work = list(map(self._work, chunks))
        together = min(self.cores, len(work))
        return self._slowness() * (sum(work) / together - mean(work) / 2)

    def _least(self, chunks: list[Path]) -> float:
        """Seconds for those chunks that are surely not under way."""
        return sum(sorted(map(self._work, chunks))[: -self.cores]) / self.cores

    def _slowness(self) -> float:
        """How much longer than its processor time a job takes, if others use the machine."""
        work = list(map(self._work, filter(self._is_timed, self._finished())))
        if not work or self.start is None:
            return 1.0
        elapsed = time.monotonic() - self.start
        return max(elapsed * self.cores / (sum(work) + self.cores * mean(work) / 2), 1.0)

    def _finished(self) -> set[Path]:
        return set(self.trials) - self.waiting

    def _learn(self, chunk: Path) -> None:
        """Note what a trial of a chunk took, if the chunk can be read and is of this configuration."""
        try:
            origin = read_origin(chunk)
            seconds = origin["seconds"] / self.trials[chunk]
        except (KeyError, TypeError, ValueError):
            return
        if self.chunks[chunk].origin.items() <= origin.items():
            self.seconds[self.chunks[chunk].kind].append(seconds)

    def _is_timed(self, chunk: Path) -> bool:
        return self.chunks[chunk].kind in self.seconds

    def _work(self, chunk: Path) -> float:
        return START_UP + self.trials[chunk] * mean(self.seconds[self.chunks[chunk].kind])


def times_by_rule(benchmarks: Iterable[tuple[str, Path]], since: float) -> str:
    """One line for each rule, the longest first: its jobs, and their seconds by the benchmark files written since."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for rule, path in benchmarks:
        if _modified(path) >= since:
            with path.open(newline="") as file:
                seconds[rule] += [float(row["s"]) for row in csv.DictReader(file, delimiter="\t")]
    total = sum(map(sum, seconds.values()))
    return "\n".join(
        f"{rule}: {sum(spent):.0f} s in {len(spent)} jobs, {sum(spent) / total:.0%}, the longest {max(spent):.1f} s"
        for rule, spent in sorted(seconds.items(), key=lambda item: -sum(item[1]))
    )


def duration(seconds: float) -> str:
    """
    A time for people.

    Examples
    --------
    >>> duration(40), duration(720), duration(9000)
    ('40 seconds', '12 minutes', '2.5 hours')
    """
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _modified(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0
