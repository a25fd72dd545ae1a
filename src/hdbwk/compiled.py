"""How the kernels of this package are compiled, and where their machine code is kept."""

import hashlib
import os
import re
import stat
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator, NullCache

ROOT = Path(__file__).parent
IMPORT = re.compile(rb"^from hdbwk\.([\w.]+) import", re.MULTILINE)


def _kernel_files() -> list[Path]:
    """The files that hold kernels, and all files of this package that those import, directly or not."""
    texts = {path: path.read_bytes() for path in ROOT.rglob("*.py")}
    waiting = [path for path, text in texts.items() if b"compiled" in IMPORT.findall(text)]
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
    return _compiled(function)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """The same for a function that allocates nothing: without numba's counts of references, a fifth of a round."""
    return _compiled(function, _nrt=False)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    function.__qualname__ += f"_{DIGEST}"
    dispatcher = numba.njit(error_model="numpy", **options)(function)
    dispatcher._cache = _cache_of(function)
    return dispatcher


def _cache_of(function: Callable[..., Any]) -> Any:
    """Where a kernel is kept: where numba would keep it, else among the temporary files."""
    try:
        return _KernelCache(function)
    except RuntimeError:
        _warn("neither the package nor the home folder can be written")
        return _temporary_cache(function)


class _KernelCache(FunctionCache):
    """Numba's cache; what finds no room in it goes among the temporary files."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None and _temporary_folder().is_dir():
            found = _temporary_cache(self._py_func).load_overload(sig, target_context)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn(f"their folder cannot be written: {error.strerror}")
            _temporary_cache(self._py_func).save_overload(sig, data)


class _TemporaryLocator(InTreeCacheLocator):
    """A folder among the temporary files that nobody else can write: what is read from a cache is executed."""

    def get_cache_path(self) -> str:
        return str(_temporary_folder() / self.get_suitable_cache_subpath(self._py_file))

    def ensure_cache_path(self) -> None:
        folder = _temporary_folder()
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
            raise PermissionError(f"{folder} is not a folder of this user alone")
        super().ensure_cache_path()


class _TemporaryImpl(CompileResultCacheImpl):
    _locator_classes: list[type[object]] = [_TemporaryLocator]  # noqa: RUF012 (numba declares it so)


class _TemporaryCache(FunctionCache):
    """A cache among the temporary files; without room there a kernel is compiled by every process."""

    _impl_class = _TemporaryImpl

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)


def _temporary_cache(function: Callable[..., Any]) -> Any:
    try:
        return _TemporaryCache(function)
    except RuntimeError:
        return NullCache()


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"hdbwk-kernels-{os.getuid()}"


@cache
def _warn(reason: str) -> None:
    """Say once where kernels go, and what to do."""
    warnings.warn(
        f"compiled kernels go to a temporary folder ({reason}); set NUMBA_CACHE_DIR to a folder that can be written",
        RuntimeWarning,
        stacklevel=2,
    )
