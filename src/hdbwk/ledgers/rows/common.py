"""The bounds of the rows as functions of what a row varies."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hdbwk.ledgers import bounds
from hdbwk.ledgers.bounds import Law, Real
from hdbwk.ledgers.rates_row import Array, Bound
from hdbwk.ledgers.trials import Trials


def of_size(bound: Callable[..., Real], **options: Any) -> Bound:
    """A bound in T (or t), all else as the experiment has it."""
    return lambda spec, size: bound(Law.of(spec), size, **options)


def of(letter: str, bound: Callable[..., Real], **options: Any) -> Bound:
    """A bound in one of the law's letters, at the longest horizon of the experiment."""
    return lambda spec, size: bound(replace(Law.of(spec), **{letter: size}), float(max(spec["horizons"])), **options)


def along(bound: Callable[..., Real], rounds: int) -> Bound:
    """A bound in s0 and T = rounds s0 together, for rewards whose size does not grow with s0."""

    def at(spec: Any, s0: Array) -> Real:
        law = Law.of(spec)
        return bound(replace(law, s0=s0, size=law.size / s0**0.5), rounds * s0)

    return at


def sampled(decay: float) -> Bound:
    """Theorem sparse-est in t for p_j = j^(-decay)."""
    return lambda spec, t: bounds.sparse_est(Law.of(spec), t, bounds.inverse_mean_probability(t, 1.0, decay))


def in_eigenvalues(spec: Any, size: Array) -> Real:
    """Theorem sparse-est in 1/phi_min."""
    law = replace(Law.of(spec), alpha=(size - 1) / (size + 1))
    return bounds.sparse_est(law, float(max(spec["horizons"])))


def one_over_p(spec: Any, size: Array) -> Real:
    """Theorem sparse-est in 1/p."""
    return bounds.sparse_est(Law.of(spec), float(max(spec["horizons"])), size)


def most(experiment: str) -> Callable[[Trials], float]:
    """T R_max at the longest horizon of a bandit."""

    def read(trials: Trials) -> float:
        spec = trials.config[experiment]
        T = float(max(spec["horizons"]))
        return T * float(Law.of(spec).R(T))

    return read
