"""A chunk that is damaged or from elsewhere is refused by its name; it never enters an average."""

import shutil

import numpy as np
import pandas as pd
import pytest

from hdbwk.core.seeds import rng
from hdbwk.experiments.recovery.spec import Recovery
from hdbwk.pipeline.tables import Chunk, merge_chunks, read_table, write_table

TRIALS = range(3)
METHODS = {
    "ours": {"name": "online_ht", "sparsity": 2, "working_sparsity": 4, "step": "normalized"},
    "theirs": {"name": "lasso", "scale": 1.0, "tol": 1e-6, "max_iter": 1000},
    "others": {"name": "lasso", "scale": 2.0, "tol": 1e-6, "max_iter": 1000},
}
SPEC = Recovery(
    seed_label="faults",
    dim=10,
    sparsity=2,
    horizon=30,
    noise=0.5,
    correlation=0.5,
    bound=None,
    signal={"low": 0.5, "high": 1.0, "signs": "random"},
    read_every=5,
    methods=METHODS,
)


def origin(method):
    return {"method": method, "seed": 1, "version": "1.0", "config": "abc"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of an experiment with one chunk for each method."""
    folder = tmp_path_factory.mktemp("whole")
    for method in METHODS:
        table = SPEC.run_trials(method, TRIALS, seed=1)
        write_table(table, folder / method / "0000-0002.parquet", {**origin(method), "seconds": 0.1})
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "copy")


def chunk_of(folder, method="ours"):
    return folder / method / "0000-0002.parquet"


def merge(folder):
    return merge_chunks({chunk_of(folder, method): Chunk(origin(method), TRIALS) for method in METHODS})


def rewrite(path, change=lambda table: table, **changed_origin):
    """The same file with other rows or another origin, in perfect shape as a file."""
    table, found = read_table(path, {})
    write_table(change(table), path, {**found, **changed_origin})


def become_directory(path):
    path.unlink()
    path.mkdir()


def with_value(column, value):
    return lambda table: table.astype({column: object}).assign(**{column: [value, *table[column][1:]]}).infer_objects()


DAMAGES = {
    "empty": (lambda path: path.write_bytes(b""), "is not a readable parquet"),
    "text": (lambda path: path.write_text("trial,t\n0,1\n"), "is not a readable parquet"),
    "half": (lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), "is not a readable parquet"),
    "missing": (lambda path: path.unlink(), "is not a readable parquet"),
    "directory": (become_directory, "is not a readable parquet"),
    "parquet of others": (lambda path: pd.DataFrame({"t": [1]}).to_parquet(path), "was not written by hdbwk"),
    "other configuration": (lambda path: rewrite(path, config="abd"), "has config = 'abd', this run has 'abc'"),
    "other version": (lambda path: rewrite(path, version="0.9"), "has version = '0.9'"),
    "other seed": (lambda path: rewrite(path, seed=2), "has seed = 2"),
    "other method": (lambda path: shutil.copy(chunk_of(path.parent.parent, "theirs"), path), "has method = 'theirs'"),
    "rows of another method": (lambda path: rewrite(path, lambda table: table.assign(method="x")), "other methods"),
    "no rows": (lambda path: rewrite(path, lambda table: table[:0]), "other methods than ours"),
    "trial missing": (lambda path: rewrite(path, lambda t: t[t["trial"] != 1]), r"trials \[0, 2\], not \[0, 1, 2\]"),
    "trial too many": (
        lambda path: rewrite(path, lambda t: pd.concat([t, t[:6].assign(trial=3)])),
        r"trials \[0, 1, 2, 3",
    ),
    "trial twice": (lambda path: rewrite(path, lambda t: pd.concat([t, t[t["trial"] == 1]])), "twice"),
    "round missing": (lambda path: rewrite(path, lambda table: table[1:]), "fewer rounds"),
    "last round missing": (lambda path: rewrite(path, lambda table: table[table["t"] < 30]), "columns and rounds"),
    "NaN": (lambda path: rewrite(path, with_value("error", np.nan)), "not finite"),
    "infinity": (lambda path: rewrite(path, with_value("error", np.inf)), "not finite"),
    "no number": (lambda path: rewrite(path, lambda table: table.astype({"error": str})), "not a number"),
    "column missing": (lambda path: rewrite(path, lambda table: table.drop(columns="error")), "columns and rounds"),
    "column too many": (lambda path: rewrite(path, lambda table: table.assign(more=1.0)), "columns and rounds"),
    "no trial": (lambda path: rewrite(path, lambda table: table.drop(columns="trial")), "has no column trial"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_bad_chunk_is_refused_with_its_name_and_the_repair(folder, damage):
    spoil, message = DAMAGES[damage]
    spoil(chunk_of(folder))
    with pytest.raises(ValueError, match=message) as refusal:
        merge(folder)
    assert str(refusal.value).startswith(str(chunk_of(folder)))
    assert "delete it and run again" in str(refusal.value)


def cut(content, random):
    return content[: random.integers(len(content))]


def overwrite(content, random):
    start, length = random.integers(len(content)), random.integers(1, 40)
    return content[:start] + random.bytes(length) + content[start + length :]


def flip_a_bit(content, random):
    place = random.integers(len(content))
    return content[:place] + bytes([content[place] ^ (1 << random.integers(8))]) + content[place + 1 :]


def erase(content, random):
    start, length = random.integers(len(content)), random.integers(1, 400)
    return content[:start] + bytes(len(content[start : start + length])) + content[start + length :]


@pytest.mark.parametrize("spoil", [cut, overwrite, flip_a_bit, erase])
def test_random_damage_is_refused_or_changes_nothing(folder, spoil):
    """Some bytes of a parquet file are padding or statistics; all others count."""
    expected = merge(folder)
    path = chunk_of(folder)
    content = path.read_bytes()
    refused = 0
    for i in range(60):
        path.write_bytes(spoil(content, rng(1, "damage", spoil.__name__, i)))
        try:
            merged = merge(folder)
        except ValueError as refusal:
            assert str(path) in str(refusal)
            refused += 1
        else:
            pd.testing.assert_frame_equal(merged, expected, check_exact=True)
    assert refused > 20
