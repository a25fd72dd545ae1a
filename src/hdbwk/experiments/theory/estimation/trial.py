"""Theorems on sparse estimation: Online HT on rows that an allocation chooses, apart from any reward."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hdbwk.core.progress import watched
from hdbwk.core.validation import Floats
from hdbwk.environments.contexts import PowerDecay
from hdbwk.estimators.registry import Bank, make_bank
from hdbwk.experiments.theory.estimation.spec import Allocation, Estimation
from hdbwk.policies.parts.schedules import Exploration


def run(spec: Estimation, method: str, trial: int, seed: int, progress: bool = False) -> pd.DataFrame:
    """
    Record squared errors over all arms and outputs at each horizon.

    Their largest, their mean and their 95% quantile; the largest over arms and over outputs, averaged over the others;
    the mean for the s-sparse iterates, and for the oracle, which knows the supports and takes least squares on them
    with the same weights.
    """
    allocation = spec.methods[method]
    truth = parameters(spec, spec.generator(seed, trial, "instance"))
    rounds = sorted(spec.horizons)
    for_contexts, for_noise = spec.generator(seed, trial, "stream").spawn(2)
    contexts = PowerDecay(spec.dim, spec.correlation, spec.bound).draw(rounds[-1], for_contexts)
    noise = spec.noise * for_noise.standard_normal((rounds[-1], spec.n_outputs))

    bank = make_bank(allocation.estimator, spec.n_arms, spec.n_outputs, spec.dim)
    pulls = allocated(allocation, bank, contexts, spec.generator(seed, trial, "allocation"))
    arms, weights = np.zeros(rounds[-1], dtype=np.int64), np.zeros(rounds[-1])
    record = []
    for t, (arm, weight) in enumerate(watched(pulls, method, "rounds", progress), start=1):
        x = contexts[t - 1]
        arms[t - 1], weights[t - 1] = arm, weight
        bank.update(x, arm, truth[arm] @ x + noise[t - 1], weight)
        if t in rounds:
            errors = ((bank.coef - truth) ** 2).sum(axis=2)
            row = {"t": t, "largest_error": errors.max(), "mean_error": errors.mean()}
            row |= {"high_error": np.quantile(errors, 0.95)}
            row |= {"worst_arm": errors.max(axis=0).mean(), "worst_row": errors.max(axis=1).mean()}
            row |= {"working_error": ((getattr(bank, "working", bank.coef) - truth) ** 2).sum(axis=2).mean()}
            row |= {"oracle_error": oracle_error(contexts[:t], noise[:t], arms[:t], weights[:t], truth)}
            record.append(row)
    return pd.DataFrame(record)


def oracle_error(contexts: Floats, noise: Floats, arms: NDArray[np.int64], weights: Floats, truth: Floats) -> float:
    """The mean squared error of weighted least squares on the true supports."""
    errors = []
    for arm, outputs in enumerate(truth):
        own = (arms == arm) & (weights > 0)
        X, scale = contexts[own], np.sqrt(weights[own])
        for k, vector in enumerate(outputs):
            design = X[:, vector != 0] * scale[:, None]
            errors.append(np.sum(np.linalg.lstsq(design, noise[own, k] * scale)[0] ** 2))
    return float(np.mean(errors))


def parameters(spec: Estimation, generator: np.random.Generator) -> Floats:
    """A sparse vector for each arm and output, of shape (K, q, d)."""
    signal = spec.signal.law(spec.sparsity)
    vectors = [signal.vector(spec.dim, spec.sparsity, generator) for _ in range(spec.n_arms * spec.n_outputs)]
    return np.array(vectors).reshape(spec.n_arms, spec.n_outputs, spec.dim)


def allocated(
    allocation: Allocation, bank: Bank, contexts: Floats, generator: np.random.Generator
) -> Iterator[tuple[int, float]]:
    """
    The arm of each round with its weight 1/p, weight 0 if none is pulled.

    "random" pulls each arm with probability p_t = min(probability t^(-decay), 1/K) whatever the context; "greedy"
    pulls the arm of the largest estimated first output, without weights (Algorithm 2 and 3 with epsilon = 0);
    "epsilon_greedy" does as Algorithm 2, so that p depends on the context.
    """
    K = bank.coef.shape[0]
    probability = Exploration(allocation.probability, allocation.decay, K)
    for t, x in enumerate(contexts, start=1):
        p = probability(t)
        if allocation.name == "random":
            arm = int(generator.random() / p)
            yield (arm, _weight(p, allocation.weighted)) if arm < K else (0, 0.0)
            continue
        best = arm = int(np.argmax(bank.predict(x)[:, 0]))
        if allocation.name == "epsilon_greedy":
            if generator.random() < K * p:
                arm = int(generator.integers(K))
            yield arm, _weight(1 - (K - 1) * p if arm == best else p, allocation.weighted)
        else:
            yield best, 1.0


def _weight(p: float, weighted: bool) -> float:
    return 1 / p if weighted else 1.0
