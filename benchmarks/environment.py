"""One thread, and the textbook versions within reach: to be imported before numpy."""

import os
import sys
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
