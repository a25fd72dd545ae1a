"""Section 4, complexity: what a round of an estimator costs, early and late in a stream."""
