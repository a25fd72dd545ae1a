"""Speed and memory against the targets of the project: `python -m benchmarks` (make bench)."""
