"""Which files of this package a module is made of, so that a workflow can tell what an edit concerns."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent


def closure(*modules: str) -> list[Path]:
    """
    The files of the modules and of all modules of this package that they import, directly or not.

    A package's ``__init__`` counts only where its own names are imported: elsewhere it merely re-exports.

    Examples
    --------
    >>> [path.name for path in closure("hdbwk.seeds")]
    ['seeds.py']
    """
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += _imports(_file(module))
    return sorted(_file(module) for module in found)


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _imports(file: Path) -> list[str]:
    """The modules of this package that a file imports."""
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
            names.append(node.module)
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    inside = [name for name in names if name.startswith("hdbwk.")]
    return [name for name in inside if _file(name).is_file()]
