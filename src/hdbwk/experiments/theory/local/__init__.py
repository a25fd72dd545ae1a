"""Lemmas smoothness and region-B+: the dual and its binding resources around rho_0."""
