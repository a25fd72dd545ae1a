"""Lemma "Upperbound": the offline optimum of a stream against the fluid value."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.core.validation import Floats
from hdbwk.dual.explicit import solve_dual
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.experiments.theory.offline.spec import Hindsight, Offline


class Fluid(NamedTuple):
    """The capacity of a round, with the optimal prices and value of the fluid programme."""

    rho: Floats
    lam: Floats
    value: float


def run(spec: Offline, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Record V_off / V_UB and V_UB - V_off at each horizon; a `capacity_scale` above 1 gives V_off too much: the control.

    The gap is measured against the dual of the stream itself at the prices of the fluid programme: its mean is V_UB, no
    V_off exceeds it, and most of the luck of the contexts cancels.
    """
    hindsight = spec.methods[method]
    atoms = None
    if hindsight.atoms:
        atoms = spec.instance(trial, seed).contexts(hindsight.atoms, spec.generator(seed, trial, "atoms"))
    fluid = fluid_of(spec, hindsight, trial, seed, atoms)
    generators = spec.generator(seed, trial, "stream").spawn(hindsight.streams)
    streams = watched(generators, method, "streams", progress)
    tables = [one_stream(spec, hindsight, trial, seed, fluid, atoms, generator) for generator in streams]
    return pd.concat(tables).groupby("t", as_index=False).mean()


def one_stream(
    spec: Offline,
    hindsight: Hindsight,
    trial: int,
    seed: int,
    fluid: Fluid,
    atoms: Floats | None,
    generator: np.random.Generator,
) -> pd.DataFrame:
    """The offline optima of one stream; a longer horizon begins with the rounds of a shorter one."""
    instance, horizons = spec.instance(trial, seed), spec.horizons_of(trial)
    if atoms is None:
        contexts = instance.contexts(horizons[-1], generator)
    else:
        contexts = atoms[generator.integers(len(atoms), size=horizons[-1])]
    record = []
    for horizon in horizons:
        rewards, costs = outcomes(instance, contexts[:horizon])
        best = horizon * solve_dual(rewards, costs, hindsight.capacity_scale * fluid.rho, np.inf).value
        bound = np.maximum((rewards - costs @ fluid.lam).max(axis=1), 0).sum() + horizon * fluid.rho @ fluid.lam
        record.append({"t": horizon, "ratio": best / (horizon * fluid.value), "gap": bound - best})
    return pd.DataFrame(record)


def outcomes(instance: CBwKInstance, contexts: Floats) -> tuple[Floats, Floats]:
    """Expected rewards (T, K) and consumptions (T, K, m)."""
    return contexts @ instance.mu.T, np.einsum("td,kmd->tkm", contexts, instance.W, optimize=True)


def fluid_of(spec: Offline, hindsight: Hindsight, trial: int, seed: int, atoms: Floats | None) -> Fluid:
    """The fluid programme of a trial; with degenerate capacities its prices are zero."""
    instance = spec.instance(trial, seed)
    if not hindsight.degenerate:
        benchmark = spec.benchmark(trial, seed)
        return Fluid(instance.rho, benchmark.lam, benchmark.value)
    contexts = instance.contexts(spec.fluid_contexts, spec.generator(seed, trial, "fluid")) if atoms is None else atoms
    rewards, costs = outcomes(instance, contexts)
    pulled = rewards.max(axis=1) > 0
    consumed = costs[np.arange(len(rewards)), rewards.argmax(axis=1)] * pulled[:, None]
    return Fluid(consumed.mean(axis=0), np.zeros(spec.n_resources), float(np.maximum(rewards.max(axis=1), 0).mean()))
