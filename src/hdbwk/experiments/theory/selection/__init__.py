"""Section 4: the sparsity by validation or by stability, where it is not known."""
