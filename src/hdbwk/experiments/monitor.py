"""How far a run of many jobs is: the chunks on disk, and how long they took."""

import time
from collections.abc import Iterable
from pathlib import Path

from hdbwk.experiments.chunks import trials_of
from hdbwk.tables import read_origin

START_UP = 3.0  # seconds that a job needs before its first trial, roughly


class Monitor:
    """
    Counts simulations and estimates the time left.

    The time left is the time so far, times the work left over the work done. The work of a chunk is what trials of
    its method took, in this run or in an earlier one; of a method that never ran, what trials took on average.

    Parameters
    ----------
    chunks : iterable of paths
        The files that the run will write, named by `hdbwk.experiments.chunks.chunk_names`.
    """

    def __init__(self, chunks: Iterable[str | Path]) -> None:
        self.trials = {Path(chunk): len(trials_of(Path(chunk).stem)) for chunk in chunks}
        self.before = {chunk: _modified(chunk) for chunk in self.trials}
        self.seconds: dict[Path, float] = {}  # folder of a method: seconds for a trial
        for chunk in self.trials:
            self._learn(chunk)
        self.waiting = set(self.trials)
        self.start = time.monotonic()

    def update(self) -> None:
        """Look for chunks that were written since the last look."""
        written = {chunk for chunk in self.waiting if _modified(chunk) > self.before[chunk]}
        for chunk in written:
            self._learn(chunk)
        self.waiting -= written

    def seconds_left(self) -> float | None:
        """The estimate; None while no chunk is done."""
        finished = set(self.trials) - self.waiting
        if not finished:
            return None
        elapsed = time.monotonic() - self.start
        return elapsed * sum(map(self._work, self.waiting)) / sum(map(self._work, finished))

    def line(self) -> str:
        """One line for the terminal."""
        done, total = sum(self.trials[c] for c in set(self.trials) - self.waiting), sum(self.trials.values())
        left = self.seconds_left()
        text = f"simulations done: {done} of {total}"
        return text if left is None or not self.waiting else f"{text}, about {duration(left)} left"

    def _learn(self, chunk: Path) -> None:
        """Note what a trial of a chunk took, if the chunk can be read."""
        try:
            self.seconds[chunk.parent] = read_origin(chunk)["seconds"] / self.trials[chunk]
        except (KeyError, TypeError, ValueError):
            return

    def _work(self, chunk: Path) -> float:
        usual = sum(self.seconds.values()) / max(len(self.seconds), 1)
        return START_UP + self.trials[chunk] * self.seconds.get(chunk.parent, usual)


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
