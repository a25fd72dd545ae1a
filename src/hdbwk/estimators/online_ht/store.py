"""
What Algorithm 1 asks of a store, which keeps S = sum w x x' for each arm: the whole matrix, or a few columns of it.

The functions of this file have no bodies. A kernel that calls one of them on a store runs what the store's own file
has declared to implement it; numba chooses when it compiles the kernel for that kind of store.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from hdbwk.core.validation import Floats

Integers = NDArray[np.int64]
CACHE_LINE = 8  # floats


def append(store, arm, x, root):
    """Line 7: S += w x x' for an arm, where `root` is sqrt(w)."""


def add_product(store, arm, t, support, v, out):
    """out += S v in round t, for v supported on `support`."""


def line_search(store, arm, diagonal, support, v):
    """The step along v that minimises the loss on `support`, see `steps.minimising_step`."""


def expect(store, t, support, v):
    """Prepare for the next product, with H_s(v), whose support is given."""


def entry(store, arm, i, j):
    """S_ij."""


def peek_product(store, arm, support, v, out):
    """As `add_product`, and the store stays as it is."""


def slope(store, arm, moved, change, j, products):
    """(S v)_j for the changes v of some coordinates, of which the store was told by `note_change`."""


def note_change(store, arm, j, change, products):
    """Coordinate j changes; `products` has room for what the store wants to remember of it."""


def has_column(store, j):
    """Whether products with coordinate j are cheap."""


def ask_for_column(store, t, j):
    """Make products with coordinate j cheap from the next product on."""


def remembered(store):
    """How many numbers `note_change` remembers."""


def implement(store: type, *kernels: Any, **others: Any) -> None:
    """Declare what does the work of this file's functions, by their names, for one kind of store."""
    for name, work in {work.__name__: work for work in kernels}.items() | others.items():
        _declare(globals()[name], store, work)


def _declare(function: Callable[..., None], store: type, work: Any) -> None:
    @overload(function, jit_options={"forceinline": True})
    def choose(kind, *rest):
        def run(kind, *rest):
            return work(kind, *rest)

        return run if kind.instance_class is store else None


def aligned_zeros(*shape: int) -> Floats:
    """Cache-line-aligned zeros: vectors that cross cache lines are read at half the speed."""
    room = np.zeros(math.prod(shape) + CACHE_LINE - 1)
    start = -room.ctypes.data // room.itemsize % CACHE_LINE
    return room[start : start + math.prod(shape)].reshape(shape)
