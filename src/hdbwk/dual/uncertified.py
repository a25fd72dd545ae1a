"""Problems that no certificate was found for, kept on disk for study."""

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

KEPT = 10  # newest problems in our own folder


def saved(save_to: str | Path | None, problem: dict[str, Any], lam: Any) -> str:
    """Save a problem, by default in our own temporary folder, and say where; the same problem is saved once."""
    folder = own_folder() if save_to is None else Path(save_to)
    path = folder / f"dual-{digest(problem)}.npz"
    try:
        folder.mkdir(mode=0o700 if save_to is None else 0o777, parents=True, exist_ok=True)
        write(path, {**problem, "lam": lam})
    except OSError as error:
        return f"the instance could not be saved: {error}"
    if save_to is None:
        with suppress(OSError):  # another process may forget the same ones
            forget(folder)
    return f"instance saved in {path}"


def own_folder() -> Path:
    """A folder for each user."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"hdbwk-uncertified-{user}"


def digest(problem: dict[str, Any]) -> str:
    """A fingerprint of the names, shapes and numbers."""
    fingerprint = hashlib.sha256()
    for name, value in sorted(problem.items()):
        array = np.ascontiguousarray(value, dtype=np.float64)
        fingerprint.update(f"{name} {np.shape(value)} ".encode())
        fingerprint.update(array.tobytes())
    return fingerprint.hexdigest()[:16]


def write(path: Path, arrays: dict[str, Any]) -> None:
    """Write the file in one step; a file that is there becomes the newest."""
    if path.exists():
        path.touch()
        return
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".dual-") as hidden:
        part = Path(hidden) / path.name
        np.savez(part, **arrays)
        part.replace(path)


def forget(folder: Path) -> None:
    """Delete all but the newest problems."""
    files = sorted(folder.glob("dual-*.npz"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    for path in files[:-KEPT]:
        path.unlink(missing_ok=True)
