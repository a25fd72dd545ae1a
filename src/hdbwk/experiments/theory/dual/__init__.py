"""Theorem est-dual-convergence, Lemma estimateV: what the first rounds tell of the fluid programme."""
