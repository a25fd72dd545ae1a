"""Whether there is room for what a run wants to write; nothing is created to find out."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path


def obstacles(folders: Iterable[str], files: Iterable[str]) -> Iterator[str]:
    """
    One line for each folder that cannot be written, and each file whose place a directory has taken.

    Parameters
    ----------
    folders, files : iterables of paths
        They need not exist yet.
    """
    for folder in folders:
        nearest = next(path for path in (Path(folder).absolute(), *Path(folder).absolute().parents) if path.exists())
        if not nearest.is_dir():
            yield f"{folder} cannot be a folder: {nearest} is a file; remove it"
        elif not os.access(nearest, os.W_OK | os.X_OK):
            yield f"{folder} cannot be written: {nearest} is read-only, or belongs to somebody else"
    for file in files:
        if Path(file).is_dir():
            yield f"{file} is a directory where a file should be; remove it"
