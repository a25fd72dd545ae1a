"""What people would use instead, side by side with ours: `python -m benchmarks.comparison`."""
