"""What every script does first."""

import faulthandler
import os
import sys


def log_to(path):
    """Send everything that this process prints, tracebacks and crashes of C code included, to its log."""
    log = open(path, "w", buffering=1)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(log.fileno(), stream.fileno())
    faulthandler.enable()
