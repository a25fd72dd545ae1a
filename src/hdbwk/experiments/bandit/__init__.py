"""Section 8.2, Figure 2: the high-dimensional bandit."""
