"""Code that might crash the interpreter runs in a child process."""

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def output_of(code):
    """What a child process prints; it must end by itself, without a crash."""
    child = subprocess.run([sys.executable, "-c", code], cwd=TESTS, capture_output=True, text=True, check=False)
    assert child.returncode == 0, (
        f"the child ended with {child.returncode}: {child.stdout[-500:]}{child.stderr[-2000:]}"
    )
    return child.stdout.splitlines()
