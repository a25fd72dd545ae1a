"""Whatever is asked of the package, it answers or raises: it never takes the interpreter down."""

import subprocess
import sys
from pathlib import Path

import pytest

SEQUENCES = 5000
PROCESSES = 10
PARTS = [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PROCESSES))]


@pytest.mark.parametrize("part", PARTS)
def test_random_calls_never_crash(part):
    first, last = part * SEQUENCES // PROCESSES, (part + 1) * SEQUENCES // PROCESSES
    command = [sys.executable, "-W", "ignore", "-m", "helpers.fuzz_calls", str(first), str(last)]
    run = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"after {run.stdout.splitlines()[-1:]}: exit {run.returncode}\n{run.stderr[-2000:]}"
    assert "answered" in run.stdout
