"""What the rule `kernels` compiles is all that the jobs need."""

import os
import subprocess
import sys

import pytest

WARM = "from hdbwk.pipeline.warm import warm_up; warm_up()"
TRIALS = """
from hdbwk.pipeline.loading import load_folder
from hdbwk.pipeline.resolve import resolve

plan = resolve(load_folder("config", "config/smoke.yaml"))
for name in [*plan.shown, *plan.names("rates")]:
    spec = plan.experiments[name]
    for method in {params.name: method for method, params in spec.methods.items()}.values():
        spec.run_trials(method, [0], seed=1)
"""


@pytest.mark.slow
def test_no_job_compiles_anything_after_the_rule_did(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_OPT": "0"}  # quick to compile, slow to run
    subprocess.run([sys.executable, "-c", WARM], env=environment, check=True)
    compiled = {path.name for path in tmp_path.rglob("*.nbc")}
    subprocess.run([sys.executable, "-c", TRIALS], env=environment, check=True, capture_output=True)
    assert compiled
    assert {path.name for path in tmp_path.rglob("*.nbc")} == compiled
