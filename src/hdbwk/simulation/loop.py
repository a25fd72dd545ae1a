"""The loop: a policy plays the rounds of a stream."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hdbwk.core.progress import watched
from hdbwk.core.validation import NULL_ARM, Floats, all_finite, checked_arm, finite_vector
from hdbwk.environments.bandit import BanditStream
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.policies.parts.protocol import InstanceInfo, Policy
from hdbwk.simulation.budget import Budget, Outcome


class PolicyError(RuntimeError):
    """A policy, or what it was given, broke the rules or failed; the message names the policy and the round."""


@dataclass(frozen=True)
class Record:
    """
    What happened in each round.

    Attributes
    ----------
    arm : ndarray of shape (T,)
        The arm that was served, -1 for the null arm, for a refusal, and after the exit.
    chosen : ndarray of shape (T,)
        The arm that the policy asked for: another one than `arm` in a round that was refused.
    explored : ndarray of shape (T,)
        Whether the policy explored (nu_t = 1), False where it does not say.
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
    chosen: NDArray[np.int64]
    explored: NDArray[np.bool_]
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
        If the policy was made for another stream, fails, or returns something that is not an arm; or if a context,
        reward or consumption is not finite.
    """
    budget = Budget(stream, exit_rule)
    (T, dim), m = stream.contexts.shape, budget.remaining.size
    _check_fit(policy, stream, m)
    arms, chosen = np.full((2, T), NULL_ARM)
    explored = np.zeros(T, dtype=bool)
    rewards = np.zeros(T)
    consumption = np.zeros((T, m))
    prices = np.full((T, m), np.nan)
    stopping_time = T
    for t, context in enumerate(watched(stream.contexts, _name(policy), "rounds", progress)):
        x = _own_context(context, dim, policy, t)
        try:
            arm = policy.act(x)
        except Exception as error:
            raise _failure(policy, "act", t, error) from error
        arm = _checked_arm(arm, policy, t, stream.n_arms)
        chosen[t], explored[t] = arm, getattr(policy, "explores", False)
        _read_prices(policy, prices, t)
        outcome = budget.serve(t, arm)
        if outcome is None:  # EXIT: line 12 of Algorithm 2, line 10 of Algorithm 4
            stopping_time = t
            break
        arms[t], rewards[t], consumption[t] = outcome
        _check_outcome(outcome, policy, t)
        try:
            policy.update(x, *outcome)
        except Exception as error:
            raise _failure(policy, "update", t, error) from error
    return Record(arms, chosen, explored, rewards, stream.regret(arms), consumption, prices, stopping_time)


def _check_fit(policy: Policy, stream: BanditStream | CBwKStream, n_resources: int) -> None:
    """Refuse a policy that was made for another stream, if its info is known."""
    info = getattr(policy, "info", None)
    if not isinstance(info, InstanceInfo):
        return
    sizes = {"dim": stream.contexts.shape[1], "n_arms": stream.n_arms}
    if info.n_resources:  # without, the policy is one that heeds no capacities
        sizes["n_resources"] = n_resources
    if getattr(policy, "knows_horizon", False):  # a part of its rounds is no fault
        sizes["horizon"] = max(len(stream), info.horizon)
    for name, size in sizes.items():
        if getattr(info, name) != size:
            made_for = f"{name} = {getattr(info, name)}"
            raise PolicyError(f"{_name(policy)} was made for {made_for}, but the stream has {name} = {size}")


def _own_context(context: Floats, dim: int, policy: Policy, t: int) -> Floats:
    """A copy that the policy may keep or write to."""
    try:
        return finite_vector("x", context, dim)
    except ValueError as error:
        raise PolicyError(f"{_name(policy)} cannot play round {t + 1}: {error}") from error


def _read_prices(policy: Policy, prices: Floats, t: int) -> None:
    try:
        prices[t] = getattr(policy, "prices", np.nan)
    except Exception as error:
        raise _failure(policy, "prices", t, error) from error


def _checked_arm(arm: Any, policy: Policy, t: int, n_arms: int) -> int:
    try:
        return checked_arm(arm, n_arms)
    except ValueError as error:
        allowed = f"allowed are 0..{n_arms - 1}, and -1 for the null arm"
        raise PolicyError(f"{_name(policy)} returned {arm!r} in round {t + 1}; {allowed}") from error


def _check_outcome(outcome: Outcome, policy: Policy, t: int) -> None:
    """Refuse a reward or a consumption that is not finite."""
    arm, reward, consumption = outcome
    if not (math.isfinite(reward) and all_finite(consumption)):
        consumed = f" and consumed {consumption}" if consumption.size else ""
        raise PolicyError(f"arm {arm} gave {_name(policy)} the reward {reward} in round {t + 1}{consumed}")


def _failure(policy: Policy, part: str, t: int, error: Exception) -> PolicyError:
    return PolicyError(f"{_name(policy)}.{part} failed in round {t + 1}: {error!r}")


def _name(policy: Policy) -> str:
    return type(policy).__name__
