"""The trials of an experiment in the portions that jobs take."""


def chunk_names(trials: int, trials_per_job: int) -> list[str]:
    """The chunks as they stand in file names: "0000-0024" holds the trials 0 to 24."""
    starts = range(0, trials, trials_per_job)
    return [f"{start:04d}-{min(start + trials_per_job, trials) - 1:04d}" for start in starts]


def trials_of(chunk: str) -> range:
    """The trials of a chunk's name."""
    first, last = map(int, chunk.split("-"))
    return range(first, last + 1)
