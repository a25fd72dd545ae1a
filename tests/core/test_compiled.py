"""Kernels are compiled anew after an edit of anything that they read, and run wherever they cannot be kept."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.fault_runs import mounted
from numba.core.dispatcher import Dispatcher
from numba.core.types import NamedTuple

import hdbwk
from hdbwk.pipeline.warm import warm_up

PACKAGE = Path(hdbwk.__file__).parent
EDITS = """
import importlib, pathlib, sys
import hdbwk.core.compiled

print(hdbwk.core.compiled.DIGEST)
for module in sys.argv[1:]:
    file = pathlib.Path(hdbwk.__file__).parents[1] / (module.replace(".", "/") + ".py")
    before = file.read_bytes()
    file.write_bytes(before + b"ANOTHER = 1\\n")
    print(importlib.reload(hdbwk.core.compiled).DIGEST)
    file.write_bytes(before)
"""
FACTORISE = """
import numpy as np
from hdbwk.dual.cholesky import cholesky, cholesky_solve

factor, x = 4.0 * np.eye(2), np.full(2, 8.0)
cholesky(factor)
cholesky_solve(factor, x)
print(x[0], sum(cholesky.stats.cache_hits.values()))
"""


def kernels():
    """All kernels of the modules that were imported."""
    modules = [module for name, module in sys.modules.items() if name.startswith("hdbwk.")]
    return {value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}


def home_of(name, module):
    """The module in which a global name of a module is defined."""
    for node in ast.parse(Path(sys.modules[module].__file__).read_bytes()).body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return home_of(name, node.module) if node.module.startswith("hdbwk.") else node.module
    return module


def modules_read():
    """The modules of the package that define a kernel, constant or named tuple that a kernel reads."""
    warm_up()
    for kernel in kernels():
        function = kernel.py_func
        for name in set(function.__code__.co_names) & set(function.__globals__):
            yield home_of(name, function.__module__)
        for kind in (kind for signature in kernel.signatures for kind in signature):
            if isinstance(kind, NamedTuple):
                yield kind.instance_class.__module__


def child(code, package, *arguments, **environment):
    """Run code on the package in a folder, quickly compiled."""
    environment = {**os.environ, "PYTHONPATH": str(package), "NUMBA_OPT": "0", **environment}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def copied(tmp_path):
    """A folder with a copy of the package."""
    shutil.copytree(PACKAGE, tmp_path / "src/hdbwk", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "src"


@pytest.fixture
def sealed(copied):
    """The same, with files in the places where caches would be: not even root can write one."""
    for folder in [path for path in copied.rglob("*") if path.is_dir()]:
        (folder / "__pycache__").touch()
    return copied


@pytest.fixture
def temporary(tmp_path):
    """An empty folder for temporary files."""
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


def warnings_in(run):
    return [line for line in run.stderr.splitlines() if "Warning" in line]


def test_an_edit_of_any_module_that_kernels_read_changes_their_names(copied):
    modules = sorted({module for module in modules_read() if module.startswith("hdbwk.")})
    assert {"hdbwk.dual.samples", "hdbwk.estimators.online_ht.gram"} <= set(modules)
    run = child(EDITS, copied, *modules)
    usual, *edited = run.stdout.split()
    assert len(edited) == len(modules), run.stderr
    assert [module for module, digest in zip(modules, edited, strict=True) if digest == usual] == []


def test_kernels_are_kept_among_temporary_files_where_nothing_else_can_be_written(sealed, temporary):
    places = {"HOME": "/proc", "XDG_CACHE_HOME": "/proc", "TMPDIR": str(temporary)}
    first, second = (child(FACTORISE, sealed, **places) for _ in range(2))
    assert first.stdout.split() == ["2.0", "0"], first.stderr
    assert second.stdout.split() == ["2.0", "1"], second.stderr
    (warning,) = warnings_in(first)
    assert "neither the package nor the home folder can be written" in warning
    assert "set NUMBA_CACHE_DIR" in warning


def test_kernels_are_not_read_from_a_folder_that_others_can_write(sealed, temporary):
    places = {"HOME": "/proc", "XDG_CACHE_HOME": "/proc", "TMPDIR": str(temporary)}
    folder = temporary / f"hdbwk-kernels-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    runs = [child(FACTORISE, sealed, **places) for _ in range(2)]
    assert [run.stdout.split() for run in runs] == [["2.0", "0"]] * 2
    assert list(folder.iterdir()) == []


def test_kernels_are_kept_among_temporary_files_where_their_folder_is_full(tmp_path, temporary):
    with mounted(tmp_path / "disk", "size=4k") as disk:
        places = {"NUMBA_CACHE_DIR": str(disk), "TMPDIR": str(temporary)}
        first, second = (child(FACTORISE, PACKAGE.parent, **places) for _ in range(2))
    assert first.stdout.split() == ["2.0", "0"], first.stderr
    assert second.stdout.split() == ["2.0", "1"], second.stderr
    (warning,) = warnings_in(first)
    assert f"{disk}" in warning
    assert "is full" in warning


def test_kernels_run_where_no_folder_has_room(tmp_path, temporary):
    no_room = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n{FACTORISE}"
    places = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(temporary)}
    run = child(no_room, PACKAGE.parent, **places)
    assert run.stdout.split() == ["2.0", "0"], run.stderr
    assert len(warnings_in(run)) == 1
