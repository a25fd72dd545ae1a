"""Progress bars of the loops."""

import sys
from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")


def watched(items: Iterable[Item], label: str, unit: str, progress: bool) -> Iterable[Item]:
    """
    The items as they are, or with a progress bar on stderr; the bar of a loop inside another goes when it is full.

    Parameters
    ----------
    items : iterable
    label, unit : str
        What is under way, and what an item is called.
    progress : bool
        Whether to show the bar; without it the items are returned untouched.
    """
    if not progress:
        return items
    from tqdm import tqdm

    return tqdm(items, label, unit=f" {unit}", leave=None, file=sys.stderr, mininterval=0.2, dynamic_ncols=True)
