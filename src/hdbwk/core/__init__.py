"""What every other room builds on: seeds, checks, compiled kernels, progress bars."""
