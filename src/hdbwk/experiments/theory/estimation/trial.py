"""Theorems on sparse estimation: Online HT on rows that an allocation chooses, apart from any reward."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hdbwk.core.progress import watched
from hdbwk.core.validation import Floats
from hdbwk.environments.contexts import PowerDecay
from hdbwk.estimators.registry import Bank, make_bank
from hdbwk.experiments.theory.estimation.spec import Allocation, Estimation
from hdbwk.policies.parts.schedules import Exploration


def run(spec: Estimation, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """Record, at each horizon, the largest squared error over all arms and outputs, and their mean."""
    allocation = spec.methods[method]
    truth = parameters(spec, spec.generator(seed, trial, "instance"))
    rounds = sorted(spec.horizons)
    for_contexts, for_noise = spec.generator(seed, trial, "stream").spawn(2)
    contexts = PowerDecay(spec.dim, spec.correlation, spec.bound).draw(rounds[-1], for_contexts)
    noise = spec.noise * for_noise.standard_normal((rounds[-1], spec.n_outputs))

    bank = make_bank(allocation.estimator, spec.n_arms, spec.n_outputs, spec.dim)
    pulls = pulled(allocation, bank, contexts, spec.generator(seed, trial, "allocation"))
    record = []
    for t, (arm, weight) in enumerate(watched(pulls, method, "rounds", progress), start=1):
        x = contexts[t - 1]
        bank.update(x, arm, truth[arm] @ x + noise[t - 1], weight)
        if t in rounds:
            errors = ((bank.coef - truth) ** 2).sum(axis=2)
            record.append({"t": t, "largest_error": errors.max(), "mean_error": errors.mean()})
    return pd.DataFrame(record)


def parameters(spec: Estimation, generator: np.random.Generator) -> Floats:
    """A sparse vector for each arm and output, of shape (K, q, d)."""
    signal = spec.signal.law()
    vectors = [signal.vector(spec.dim, spec.sparsity, generator) for _ in range(spec.n_arms * spec.n_outputs)]
    return np.array(vectors).reshape(spec.n_arms, spec.n_outputs, spec.dim)


def pulled(
    allocation: Allocation, bank: Bank, contexts: Floats, generator: np.random.Generator
) -> Iterator[tuple[int, float]]:
    """
    The arm of each round with its weight 1/p, weight 0 if none is pulled.

    "random" pulls each arm with probability p_t = min(probability t^(-decay), 1/K) whatever the context; "greedy"
    pulls the arm of the largest estimated first output, without weights (Algorithm 2 and 3 with epsilon = 0).
    """
    K = bank.coef.shape[0]
    probability = Exploration(allocation.probability, allocation.decay, K)
    for t, x in enumerate(contexts, start=1):
        if allocation.name == "greedy":
            yield int(np.argmax(bank.predict(x)[:, 0])), 1.0
        else:
            p = probability(t)
            arm = int(generator.random() / p)
            yield (arm, 1 / p) if arm < K else (0, 0.0)
