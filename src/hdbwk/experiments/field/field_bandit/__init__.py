"""Figure 7: bandits, on several laws of instances."""
