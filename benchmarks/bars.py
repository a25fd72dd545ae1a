"""A bar is a target, what was measured in this run, and whether it holds."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

Result = TypeVar("Result")


class Bar(NamedTuple):
    """One row of the benchmark table."""

    name: str
    target: str
    measured: str
    holds: bool


def at_least(name: str, target: float, measured: float, note: str = "") -> Bar:
    """A ratio that must reach its target."""
    return Bar(name, f">= {target:g}x", f"{measured:.1f}x" + (f" ({note})" if note else ""), bool(measured >= target))


def at_most(name: str, target: float, measured: float, unit: str = "x") -> Bar:
    """A ratio, or another quantity, that must stay below its target."""
    return Bar(name, f"<= {target:g}{unit}", f"{measured:.2f}{unit}", bool(measured <= target))


def all_of(name: str, facts: Sequence[bool]) -> Bar:
    """Facts of which each must hold, and of which there must be some."""
    return Bar(name, "all", f"{sum(facts)} of {len(facts)}", bool(facts) and all(facts))


def exponent_at_most(name: str, target: float, sizes: Sequence[float], costs: Sequence[float]) -> Bar:
    """The slope of log cost over log size must stay below its target."""
    slope = float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])
    return Bar(name, f"exponent <= {target:g}", f"{slope:.2f}", slope <= target)


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The shortest of a few runs: what the work costs when nothing disturbs it."""
    return in_turns([work], repeats)[0]


def in_turns(works: Sequence[Callable[[], object]], repeats: int = 9) -> list[float]:
    """The shortest run of each work; in turns, so that none has the quieter machine."""
    return [min(times) for times in zip(*([_once(work) for work in works] for _ in range(repeats)), strict=True)]


def _once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def with_progress(name: str, work: Callable[[], Result]) -> Result:
    """What the work returns; say on the error stream how long it took."""
    start = time.perf_counter()
    result = work()
    print(f"measured {name} in {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return result
