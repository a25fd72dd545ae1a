"""Files that are written whole or not at all."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; it takes the place of `path` only if the block succeeds."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path)
        with _locked_file(path) as temporary:
            yield temporary
            os.replace(temporary, path)
    except OSError as error:
        error.add_note(f"while writing {path}")
        raise


@contextmanager
def _locked_file(path: Path) -> Iterator[Path]:
    """A new hidden file beside `path`; its lock says that it is being written."""
    temporary, descriptor = _create(path)
    while not os.fstat(descriptor).st_nlink:  # another writer took it for abandoned before it was locked
        os.close(descriptor)
        temporary, descriptor = _create(path)
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
        os.close(descriptor)


def _create(path: Path) -> tuple[Path, int]:
    """A hidden file beside `path` of a name that is ours alone, and its descriptor."""
    temporary = path.with_name(f".{path.stem}.hdbwk-{secrets.token_hex(4)}{path.suffix}")
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
    with suppress(OSError):  # a file system without locks
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return temporary, descriptor


def _remove_abandoned(path: Path) -> None:
    """Remove the temporary files of writers of `path` that were killed: a lock ends with its process."""
    for leftover in path.parent.glob(f".{escape(path.stem)}.hdbwk-{'[0-9a-f]' * 8}{escape(path.suffix)}"):
        with suppress(OSError), leftover.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover.unlink()


def write_csv(table: "pd.DataFrame", path: str | Path) -> None:
    """Write a table of a few significant digits for people to read."""
    with atomic(path) as temporary:
        table.to_csv(temporary, index=False, float_format="%.6g")


def write_text(text: str, path: str | Path) -> None:
    """Write a text in UTF-8."""
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
