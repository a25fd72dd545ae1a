"""
Policies that go wrong in the first SLURM job that runs them, and behave ever after.

Copied beside a configuration that names them by their dotted path, as a user would do with policies of their own. They
choose arms as `Uniform` does, so that a repeated job must give the numbers of an undisturbed one. Outside SLURM nothing
goes wrong.
"""

import os
import time
from pathlib import Path

from hdbwk.policies.uniform import Uniform


class FailsOnce(Uniform):
    """Raises an error in its first job."""

    def __init__(self, info, jobs):
        super().__init__(info)
        if is_first_job(jobs):
            raise RuntimeError("the first job fails on purpose")


class WaitsOnce(Uniform):
    """Waits in its first job until somebody cancels it."""

    def __init__(self, info, jobs):
        super().__init__(info)
        if is_first_job(jobs):
            time.sleep(600)
            raise RuntimeError("nobody cancelled the first job")


def is_first_job(file):
    """Whether no other SLURM job came this way before; `file` lists those that did, one number a line."""
    job = os.environ.get("SLURM_JOB_ID")
    if job is None:
        return False
    path = Path(file)
    known = path.read_text().split() if path.exists() else []
    if job not in known:
        known.append(job)
        path.write_text("".join(f"{number}\n" for number in known))
    return known[0] == job
