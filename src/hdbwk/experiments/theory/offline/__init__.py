"""Lemma Upperbound: the offline optimum of a stream against the fluid value."""
