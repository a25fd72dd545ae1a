"""Random generators that depend on what is simulated, never on when or where."""

import hashlib

import numpy as np

Key = str | int


def rng(root: int, *keys: Key) -> np.random.Generator:
    """
    Return the generator that belongs to a path of keys below a root seed.

    Equal paths give equal streams; different paths give independent streams, whatever the order, the
    process or the number of cores in which they are asked for.

    Parameters
    ----------
    root : int
        The seed of the whole study (``seed`` in the configuration), at least 0.
    *keys : str or int
        What the numbers are for, from coarse to fine: experiment, setting, trial, stream.

    Examples
    --------
    >>> from hdbwk import rng
    >>> bool(rng(1, "recovery", 0).random() == rng(1, "recovery", 0).random())
    True
    """
    if isinstance(root, bool) or not isinstance(root, int | np.integer) or root < 0:
        raise ValueError(f"root = {root!r} must be an integer of at least 0")
    words = tuple(word for key in keys for word in _words(key))
    return np.random.default_rng(np.random.SeedSequence(int(root), spawn_key=words))


def _words(key: Key) -> tuple[int, ...]:
    """Four 32-bit words for a key; the type is hashed too, so that 1 and "1" differ."""
    if isinstance(key, bool) or not isinstance(key, str | int | np.integer):
        raise TypeError(f"key {key!r} must be a string or an integer")
    kind = "str" if isinstance(key, str) else "int"
    digest = hashlib.sha256(f"{kind}:{key}".encode()).digest()
    return tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
