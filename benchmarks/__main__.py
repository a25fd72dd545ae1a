"""Measure all bars, print them, and fail if one does not hold."""

import os
import sys
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # before numpy is imported
    os.environ[f"{library}_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # the textbook versions live with the tests

from benchmarks import bandit, bank, cbwk, dual, engines, online_ht
from benchmarks.bars import show

bars = [*online_ht.bars(), *engines.bars(), *bandit.bars(), *bank.bars(), *cbwk.bars(), *dual.bars()]
show(bars)
sys.exit(0 if all(bar.holds for bar in bars) else 1)
