"""The loop: a policy plays the rounds of a stream."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hdbwk.environments.bandit import BanditStream
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.policies.protocol import Policy
from hdbwk.progress import watched
from hdbwk.simulation.budget import Budget
from hdbwk.validation import NULL_ARM

Floats = NDArray[np.float64]


class PolicyError(RuntimeError):
    """A policy, or what it was given, broke the rules; the message names the policy and the round."""


@dataclass(frozen=True)
class Record:
    """
    What happened in each round.

    Attributes
    ----------
    arm : ndarray of shape (T,)
        The arm that was served, -1 for the null arm, for a refusal, and after the exit.
    reward : ndarray of shape (T,)
        What it gave, noise included.
    regret : ndarray of shape (T,)
        Cumulative pseudo-regret, see the stream's ``regret``.
    consumption : ndarray of shape (T, m)
        What it consumed; m = 0 without knapsacks.
    prices : ndarray of shape (T, m)
        The policy's dual prices before each round, NaN where it has none.
    stopping_time : int
        The rounds that were played: T, unless a capacity was exhausted under the rule "exit".
    """

    arm: NDArray[np.int64]
    reward: Floats
    regret: Floats
    consumption: Floats
    prices: Floats
    stopping_time: int


def simulate(
    policy: Policy,
    stream: BanditStream | CBwKStream,
    exit_rule: Literal["exit", "skip"] = "exit",
    progress: bool = False,
) -> Record:
    """
    Let a policy play a stream.

    Parameters
    ----------
    policy : Policy
        Anything with ``act`` and ``update``, see `hdbwk.policies.Policy`.
    stream : BanditStream or CBwKStream
        The rounds, from ``instance.sample(horizon, rng)``.
    exit_rule : "exit" or "skip"
        What happens to a query that would exceed a capacity: the run ends before it (the paper), or the query alone
        is refused, which the policy is told as a pull of the null arm.
    progress : bool
        Whether to show a progress bar on stderr.

    Returns
    -------
    Record

    Raises
    ------
    PolicyError
        If the policy returns something that is no arm, or a reward or consumption is not finite.
    """
    budget = Budget(stream, exit_rule)
    T, m = len(stream), budget.remaining.size
    arms = np.full(T, NULL_ARM)
    rewards = np.zeros(T)
    consumption = np.zeros((T, m))
    prices = np.full((T, m), np.nan)
    stopping_time = T
    for t, x in enumerate(watched(stream.contexts, type(policy).__name__, "rounds", progress)):
        arm = _checked_arm(policy.act(x), policy, t, stream.n_arms)
        prices[t] = getattr(policy, "prices", np.nan)
        outcome = budget.serve(t, arm)
        if outcome is None:
            stopping_time = t
            break
        arms[t], rewards[t], consumption[t] = outcome
        if not (np.isfinite(rewards[t]) and np.isfinite(consumption[t]).all()):
            raise PolicyError(
                f"arm {arm} gave {type(policy).__name__} the reward {rewards[t]} in round {t + 1}"
                + (f" and consumed {consumption[t]}" if m else "")
            )
        policy.update(x, *outcome)
    return Record(arms, rewards, stream.regret(arms), consumption, prices, stopping_time)


def _checked_arm(arm: Any, policy: Policy, t: int, n_arms: int) -> int:
    if not isinstance(arm, int | np.integer) or not NULL_ARM <= arm < n_arms:
        raise PolicyError(
            f"{type(policy).__name__} returned {arm!r} in round {t + 1}; "
            f"allowed are 0..{n_arms - 1}, and -1 for the null arm"
        )
    return int(arm)
