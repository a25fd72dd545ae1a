"""The textbook stands alone: it imports nothing of ours, and the fast code imports nothing of it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTBOOK = sorted((ROOT / "src/hdbwk/textbook").glob("*.py"))
FILES = sorted(path for folder in ("src", "workflow") for path in (ROOT / folder).rglob("*.py"))
ALGORITHMS = {"online_ht", "primal_dual", "bandit", "resolving", "lincbwk", "dual"}


def imported(path):
    """The full names of what a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def test_every_algorithm_has_a_file():
    assert {path.stem for path in TEXTBOOK} >= ALGORITHMS


@pytest.mark.parametrize("path", TEXTBOOK, ids=lambda path: path.stem)
def test_the_textbook_needs_libraries_of_mathematics_alone(path):
    rooms = {name.split(".")[1] for name in imported(path) if name.startswith("hdbwk")}
    libraries = {name.split(".")[0] for name in imported(path)}
    assert rooms <= {"textbook"}
    assert libraries <= {"collections", "typing", "numpy", "scipy", "cvxpy", "sklearn", "hdbwk"}


def test_nothing_but_tests_benchmarks_and_documents_imports_the_textbook():
    others = [path for path in FILES if path not in TEXTBOOK]
    assert len(others) > 100
    assert [path.name for path in others for name in imported(path) if "textbook" in name] == []
