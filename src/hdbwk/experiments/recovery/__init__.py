"""Section 8.1, Figure 1: sparse recovery."""
