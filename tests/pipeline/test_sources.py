"""A policy of the user's own is tracked with all that it is made of."""

import os
import time

import pytest
from helpers.workflow_runs import copy_project, edit_smoke, planned

from hdbwk.pipeline.sources import closure

FILES = {
    "mine/__init__.py": "from .core import Fixed\nfrom mine import plain\nimport json, numpy\n",
    "mine/core.py": "from mine.parts.choice import arm\n\n\nclass Fixed:\n    knows_horizon = False\n"
    "    def __init__(self, info): ...\n    def act(self, x): return arm()\n    def update(self, *outcome): ...\n",
    "mine/plain.py": "import loose_tools\n",
    "mine/limits.py": "",
    "mine/parts/__init__.py": "",
    "mine/parts/choice.py": "from . import sizes\nfrom ..limits import *\n\n\n"
    "def arm():\n    from loose.part import late\n    return 0\n",
    "mine/parts/sizes.py": "from hdbwk import OnlineHT\n",
    "loose_tools.py": "import mine\n",
    "loose/part/late.py": "this is not Python\n",
}
UNUSED = "mine/unused.py"
CHUNK = "results/smoke/bandit/fixed/0000-0003.parquet"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with a policy from a package of the user's, and a chunk of its results."""
    folder = copy_project(tmp_path_factory.mktemp("project"))
    for name, code in {**FILES, UNUSED: ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code)
    edit_smoke(folder, lambda config: config["bandit"].update(methods={"fixed": {"name": "mine:Fixed"}}))
    (folder / CHUNK).parent.mkdir(parents=True)
    (folder / CHUNK).touch()
    return folder


def test_the_closure_of_a_users_module_is_all_that_it_imports_but_libraries(project, monkeypatch):
    monkeypatch.syspath_prepend(project)
    files = [path for path in closure("mine") if path.is_relative_to(project)]
    assert sorted(path.relative_to(project).as_posix() for path in files) == sorted(FILES)
    others = set(closure("mine")) - set(files)
    assert others == set(closure("hdbwk"))


@pytest.mark.parametrize(
    ("name", "jobs"),
    {"mine/core.py": 1, "mine/parts/choice.py": 1, "src/hdbwk/estimators/online_ht/regressor.py": 1, UNUSED: 0}.items(),
)
def test_an_edit_reruns_a_users_policy_if_it_is_a_part_of_it(project, name, jobs):
    before = (project / name).stat()
    os.utime(project / name, (time.time() + 60,) * 2)
    assert planned(project, "--", CHUNK).get("simulate", 0) == jobs
    os.utime(project / name, ns=(before.st_atime_ns, before.st_mtime_ns))
