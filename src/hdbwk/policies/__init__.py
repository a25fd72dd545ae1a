"""Policies, one file each; a `Protocol` and a registry."""

from hdbwk.core.validation import NULL_ARM
from hdbwk.policies.protocol import InstanceInfo, Policy
from hdbwk.policies.registry import POLICIES, make_policy, policy_class

__all__ = ["NULL_ARM", "POLICIES", "InstanceInfo", "Policy", "make_policy", "policy_class"]
