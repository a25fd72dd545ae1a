"""Instances and the streams that they emit; every method of a trial meets the same stream."""

from hdbwk.environments.bandit import BanditInstance, BanditStream
from hdbwk.environments.cbwk import CBwKInstance, CBwKStream
from hdbwk.environments.contexts import PowerDecay
from hdbwk.environments.nonnegative import UniformContexts
from hdbwk.environments.recovery import RecoveryInstance, RecoveryStream
from hdbwk.environments.signals import SignalLaw
from hdbwk.environments.two_groups import TwoGroups

__all__ = [
    "BanditInstance",
    "BanditStream",
    "CBwKInstance",
    "CBwKStream",
    "PowerDecay",
    "RecoveryInstance",
    "RecoveryStream",
    "SignalLaw",
    "TwoGroups",
    "UniformContexts",
]
