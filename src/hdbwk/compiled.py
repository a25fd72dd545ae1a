"""How the kernels of this package are compiled."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba


def _digest() -> str:
    """A fingerprint of all files that hold kernels."""
    sources = (path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    kernels = [source for source in sources if b"hdbwk.compiled" in source]
    return hashlib.sha256(b"".join(kernels)).hexdigest()[:12]


DIGEST = _digest()


def kernel(function: Callable[..., Any]) -> Any:
    """
    Compile a function: cached on disk, division by zero as in numpy, no fastmath, so that results are reproducible.

    Numba's cache looks at the file of a function alone and would go on using a kernel whose callee in another file
    was edited. The fingerprint of all kernels in the name under which it is cached makes such an edit recompile.
    """
    return _compiled(function)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """The same for a function that allocates nothing: without numba's counts of references, a fifth of a round."""
    return _compiled(function, _nrt=False)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    function.__qualname__ += f"_{DIGEST}"
    return numba.njit(cache=True, error_model="numpy", **options)(function)
