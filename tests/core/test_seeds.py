"""Random numbers depend on what they are for and on nothing else."""

import pytest

from hdbwk import rng

PATHS = [
    (),
    (1,),
    ("1",),
    (1, 1),
    ("a", "b"),
    ("ab",),
    ("a", 1, "b"),
    ("a", 11),
    ("a", 1, 1),
    (2**40,),
    (-1,),
]


def test_equal_paths_give_equal_streams():
    assert (rng(5, "bandit", 3).random(10) == rng(5, "bandit", 3).random(10)).all()


def test_different_paths_and_roots_give_different_streams():
    first = {float(rng(root, *path).random()) for root in (0, 1) for path in PATHS}
    assert len(first) == 2 * len(PATHS)


@pytest.mark.parametrize("root", [-1, 1.5, True, "7"])
def test_a_bad_root_is_named(root):
    with pytest.raises(ValueError, match="root"):
        rng(root)


@pytest.mark.parametrize("key", [1.5, None, True])
def test_a_bad_key_is_named(key):
    with pytest.raises(TypeError, match="key"):
        rng(1, key)
