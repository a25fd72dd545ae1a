"""Policies, one file each; a `Protocol` and a registry."""

from hdbwk.policies.protocol import InstanceInfo, Policy
from hdbwk.policies.registry import POLICIES, make_policy, policy_class
from hdbwk.validation import NULL_ARM

__all__ = ["NULL_ARM", "POLICIES", "InstanceInfo", "Policy", "make_policy", "policy_class"]
