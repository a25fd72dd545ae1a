"""Measures of one trial, and summaries of many."""

from hdbwk.metrics.summary import Interval, bands, growth_exponent, paired_difference
from hdbwk.metrics.trial import squared_error, support_recovery

__all__ = ["Interval", "bands", "growth_exponent", "paired_difference", "squared_error", "support_recovery"]
