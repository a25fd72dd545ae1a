"""When a trial is read."""


def rounds_to_read(horizon: int, every: int) -> list[int]:
    """Each `every`-th round, and the last."""
    return sorted({*range(every, horizon + 1, every), horizon})
