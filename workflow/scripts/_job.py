"""What every script does first."""

import faulthandler
import os
import sys
import traceback


def log_to(path):
    """
    Send everything that this process prints, tracebacks and crashes of C code included, to its log.

    The error itself is shown on the terminal as well: on a full disk the log stays empty.
    """
    log = open(path, "w", buffering=1, encoding="utf-8")
    terminal = os.dup(sys.stderr.fileno())
    for stream in (sys.stdout, sys.stderr):
        os.dup2(log.fileno(), stream.fileno())
    faulthandler.enable()

    def show(kind, error, trace):
        os.write(terminal, f"{path}: {''.join(traceback.format_exception_only(error))}".encode())
        sys.__excepthook__(kind, error, trace)

    sys.excepthook = show
