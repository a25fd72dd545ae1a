"""Policies, one file each; what they are made of is in `parts`."""

from hdbwk.core.validation import NULL_ARM
from hdbwk.policies.parts.protocol import InstanceInfo, Policy
from hdbwk.policies.registry import POLICIES, make_policy, policy_class

__all__ = ["NULL_ARM", "POLICIES", "InstanceInfo", "Policy", "make_policy", "policy_class"]
