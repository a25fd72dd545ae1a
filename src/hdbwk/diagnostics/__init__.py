"""Section 9: are the assumptions met, and which variant of the method do they allow."""

from hdbwk.diagnostics.finding import ASSUMPTIONS, Finding
from hdbwk.diagnostics.report import Diagnosis, diagnose
from hdbwk.diagnostics.thresholds import Thresholds

__all__ = ["ASSUMPTIONS", "Diagnosis", "Finding", "Thresholds", "diagnose"]
