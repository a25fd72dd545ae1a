"""One experiment at several sizes."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any


def sizes(spec: Mapping[str, Any]) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """
    The experiment at each size of its sweep, or as it is with the size None.

    What methods assume of the sparsity follows a sweep over it in proportion.
    """
    plain = {key: value for key, value in copy.deepcopy(dict(spec)).items() if key != "sweep"}
    if "sweep" not in spec:
        yield None, plain
        return
    key = spec["sweep"]["key"]
    for size in spec["sweep"]["values"]:
        sized = copy.deepcopy(plain)
        sized[key] = size
        if key == "sparsity":
            for params in sized.get("methods", {}).values():
                _scale(params, size, plain["sparsity"])
        yield size, sized


def _scale(params: dict[str, Any], sparsity: int, base: int) -> None:
    """Multiply the sparsities of a method by the factor by which the true one changes."""
    for key in {"sparsity", "working_sparsity"} & set(params):
        params[key] = max(params[key] * sparsity // base, 1)
