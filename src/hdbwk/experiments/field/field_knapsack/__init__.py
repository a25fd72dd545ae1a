"""Figure 8: bandits with knapsacks, on several laws of instances."""
