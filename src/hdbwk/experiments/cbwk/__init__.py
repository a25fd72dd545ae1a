"""Section 8.3, Figure 3: bandits with knapsacks."""
