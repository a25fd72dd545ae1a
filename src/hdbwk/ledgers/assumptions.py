"""Do the instances of Section 8 meet the paper's assumptions?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hdbwk.diagnostics.finding import ASSUMPTIONS, Finding, verdict
from hdbwk.diagnostics.report import Diagnosis, diagnose
from hdbwk.environments.bandit import BanditInstance
from hdbwk.environments.cbwk import CBwKInstance
from hdbwk.environments.contexts import PowerDecay
from hdbwk.environments.recovery import RecoveryInstance
from hdbwk.experiments.bandit.spec import Bandit
from hdbwk.experiments.cbwk.spec import CBwK
from hdbwk.experiments.recovery.spec import Recovery
from hdbwk.ledgers.numbers import between, intervals

Experiment = Recovery | Bandit | CBwK
Instance = RecoveryInstance | BanditInstance | CBwKInstance
WEAKEST_LAST = ("certified", "sample", "search")


def judge(specs: Mapping[str, Experiment], seed: int, contexts: int = 10_000, instances: int = 3) -> pd.DataFrame:
    """
    One row for each experiment and each constant of an assumption that its theorems make.

    An assumption `holds` in an experiment if it holds in all instances, it `fails` if it fails in one of them, and is
    `unclear` otherwise.

    Parameters
    ----------
    specs : mapping
        Resolved experiments by name.
    seed : int
        The root seed; the instances are those of the experiments' first trials.
    contexts : int
        Contexts drawn from each instance.
    instances : int
        Instances of each experiment.
    """
    rows = []
    for name, spec in specs.items():
        diagnoses = measure(spec, seed, contexts, instances)
        for quantity in (finding.quantity for finding in diagnoses[0].findings):
            findings = [diagnosis[quantity] for diagnosis in diagnoses]
            if (assumption := findings[0].assumption) in spec.at_stake:
                rows.append({"experiment": name, "where": spec.at_stake[assumption], **summary(findings)})
    return pd.DataFrame(rows)


def measure(spec: Experiment, seed: int, contexts: int, instances: int) -> list[Diagnosis]:
    """Diagnose the instances of an experiment's first trials, each with its true parameters."""
    diagnoses = []
    for trial in range(instances):
        instance = spec.instance(trial, seed)
        X = instance.law.draw(contexts, spec.generator(seed, trial, "assumptions"))
        diagnoses.append(diagnose(X, sparsity=spec.sparsity, seed=seed, **_arms(instance), **_law(instance)))
        print(f"{spec.name}, trial {trial}: {diagnoses[-1]}\n", flush=True)
    return diagnoses


def summary(findings: Sequence[Finding]) -> dict[str, Any]:
    """One constant over all instances: mean and range of the estimates, the outermost bounds, the verdict."""
    values = pd.DataFrame([(finding.estimate, finding.low, finding.high) for finding in findings])
    estimates, lows, highs = (values[column] for column in values)
    outcomes = [finding.holds for finding in findings]
    holds = False if False in outcomes else None if None in outcomes else True
    typical = next(finding for finding in findings if finding.holds is holds)
    return {
        "assumption": typical.assumption,
        "name": ASSUMPTIONS[typical.assumption],
        "quantity": typical.quantity,
        "mean": estimates.mean(),
        "smallest": estimates.min(),
        "largest": estimates.max(),
        "low": lows.min(),
        "high": highs.max(),
        "how": max((finding.how for finding in findings), key=WEAKEST_LAST.index),
        "holding": outcomes.count(True),
        "instances": len(findings),
        "verdict": verdict(holds),
        "note": typical.note,
    }


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The columns for people."""
    return pd.DataFrame(
        {
            "experiment": table["experiment"],
            "assumption": table["assumption"] + " " + table["name"],
            "needed by": table["where"],
            "constant": table["quantity"],
            "mean (range over instances)": intervals(table, "mean", "smallest", "largest"),
            "bounds or interval": list(map(between, table["low"], table["high"])),
            "how": table["how"],
            "holds in": table["holding"].astype(str) + " of " + table["instances"].astype(str),
            "verdict": table["verdict"],
            "note": table["note"],
        }
    )


def _arms(instance: Instance) -> dict[str, Any]:
    """What `diagnose` is told of the arms; one arm that is always pulled is no choice."""
    if isinstance(instance, RecoveryInstance):
        return {}
    if isinstance(instance, BanditInstance):
        return {"mu": instance.mu}
    return {"mu": instance.mu, "W": instance.W, "rho": instance.rho}


def _law(instance: Instance) -> dict[str, Any]:
    """What is known of the law of the contexts: its bound, and its second moments if it is Gaussian."""
    law = instance.law
    if not isinstance(law, PowerDecay):
        return {"bound": 1.0}
    return {"bound": np.inf, "second_moment": law.covariance} if law.bound is None else {"bound": law.bound}
