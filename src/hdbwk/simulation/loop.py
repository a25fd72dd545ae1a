"""The loop: a policy plays the rounds of a stream."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hdbwk.environments.bandit import BanditStream
from hdbwk.policies.protocol import NULL_ARM, Policy

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
        The arm that was pulled, -1 for the null arm.
    reward : ndarray of shape (T,)
        What it gave, noise included.
    regret : ndarray of shape (T,)
        Cumulative pseudo-regret: expected reward of the best arm minus that of the pulled one, summed.
    """

    arm: NDArray[np.int64]
    reward: Floats
    regret: Floats


def simulate(policy: Policy, stream: BanditStream) -> Record:
    """
    Let a policy play a stream.

    Parameters
    ----------
    policy : Policy
        Anything with ``act`` and ``update``, see `hdbwk.policies.Policy`.
    stream : BanditStream
        The rounds, from ``instance.sample(horizon, rng)``.

    Returns
    -------
    Record

    Raises
    ------
    PolicyError
        If the policy returns something that is no arm, or a reward is not finite.
    """
    arms = np.empty(len(stream), dtype=np.int64)
    rewards = np.empty(len(stream))
    for t, x in enumerate(stream.contexts):
        arm = _checked_arm(policy.act(x), policy, t, stream.n_arms)
        reward = 0.0 if arm == NULL_ARM else stream.rewards[t, arm]
        if not np.isfinite(reward):
            raise PolicyError(f"arm {arm} gave {type(policy).__name__} the reward {reward} in round {t + 1}")
        policy.update(x, arm, reward)
        arms[t], rewards[t] = arm, reward
    return Record(arms, rewards, stream.regret(arms))


def _checked_arm(arm: Any, policy: Policy, t: int, n_arms: int) -> int:
    if not isinstance(arm, int | np.integer) or not NULL_ARM <= arm < n_arms:
        raise PolicyError(
            f"{type(policy).__name__} returned {arm!r} in round {t + 1}; "
            f"allowed are 0..{n_arms - 1}, and -1 for the null arm"
        )
    return int(arm)
