"""One module for each figure; all share one style."""
