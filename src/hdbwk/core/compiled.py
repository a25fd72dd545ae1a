"""How the kernels of this package are compiled, and where their machine code is kept."""

import hashlib
import os
import re
import shutil
import stat
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache

ROOT = Path(__file__).parents[1]  # of the package
ROOM = 2**25  # bytes that the folder of the kernels should have left
IMPORT = re.compile(rb"^from hdbwk\.([\w.]+) import", re.MULTILINE)


def _kernel_files() -> list[Path]:
    """The files that hold kernels, and all files of this package that those import, directly or not."""
    texts = {path: path.read_bytes() for path in ROOT.rglob("*.py")}
    waiting = [path for path, text in texts.items() if b"core.compiled" in IMPORT.findall(text)]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in texts and path not in found:
            found.add(path)
            waiting += [ROOT / f"{module.decode().replace('.', '/')}.py" for module in IMPORT.findall(texts[path])]
    return sorted(found)


def _digest() -> str:
    """A fingerprint of all that is compiled in."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in _kernel_files())).hexdigest()[:12]


DIGEST = _digest()


def kernel(function: Callable[..., Any]) -> Any:
    """
    Compile a function: cached on disk, division by zero as in numpy, no fastmath, so that results are reproducible.

    Numba's cache looks at the file of a function alone and would go on using a kernel after an edit of a kernel, a
    constant or a named tuple in another file. The fingerprint of all of them in the name under which a kernel is
    cached makes such an edit recompile.
    """
    return _compiled(function, _nrt=True)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """The same for a function that allocates nothing: inlined, and without numba's counts of references."""
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    function.__qualname__ += f"_{DIGEST}"
    dispatcher = numba.njit(error_model="numpy", **options)(function)
    dispatcher._cache = _Cache(function)
    return dispatcher


class _Cache(FunctionCache):
    """Numba's cache; a kernel that cannot be saved is compiled by every process."""

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn(f"are not kept: {error.strerror}")


def _choose_folder() -> None:
    """Keep machine code among the temporary files where numba's own folders cannot be written, or are full."""
    try:
        folder = FunctionCache(_choose_folder).cache_path
        fault = f"{folder} is full" if shutil.disk_usage(folder).free < ROOM else None
    except RuntimeError:
        fault = "neither the package nor the home folder can be written"
    if fault:
        folder = str(_temporary_folder())
        numba.config.CACHE_DIR = folder  # type: ignore[attr-defined]
        _warn(f"are kept in {folder}: {fault}")


def _temporary_folder() -> Path:
    """A folder that nobody else can write: what is read from it is executed."""
    folder = Path(tempfile.gettempdir()) / f"hdbwk-kernels-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
    return folder if ours else Path(tempfile.mkdtemp())


@cache
def _warn(fate: str) -> None:
    warnings.warn(f"compiled kernels {fate}; set NUMBA_CACHE_DIR to a folder with room", RuntimeWarning, stacklevel=2)


_choose_folder()
