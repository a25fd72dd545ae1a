"""Instances and the streams that they emit; every method of a trial meets the same stream."""

from hdbwk.environments.bandit import BanditInstance, BanditStream
from hdbwk.environments.contexts import PowerDecay
from hdbwk.environments.recovery import RecoveryInstance, RecoveryStream
from hdbwk.environments.signals import SignalLaw

__all__ = ["BanditInstance", "BanditStream", "PowerDecay", "RecoveryInstance", "RecoveryStream", "SignalLaw"]
