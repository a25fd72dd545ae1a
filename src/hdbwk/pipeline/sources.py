"""Which files a module is made of, so that a workflow can tell what an edit concerns."""

import ast
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, resolve_name
from pathlib import Path

PACKAGE = __name__.partition(".")[0]
STANDARD = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib"))
INSTALLED = {"site-packages", "dist-packages"}


def closure(*modules: str) -> list[Path]:
    """
    The files of the modules and of all modules that they import, directly or not, libraries left out.

    An ``__init__`` of this package counts only where its own names are imported: elsewhere it merely re-exports. In
    the packages of others it may do anything, and counts wherever something below it is imported.

    Examples
    --------
    >>> [path.name for path in closure("hdbwk.core.seeds")]
    ['seeds.py']
    """
    found: set[str] = set()
    waiting = [part for module in modules for part in _parts(module) if _file(part)]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += _imports(module)
    return sorted(path for file in map(_file, found) if file for path in _texts(file))


def _top(module: str) -> str:
    return module.partition(".")[0]


def _parts(module: str) -> list[str]:
    """What counts where a module is imported: itself and, in the packages of others, all that it lies in."""
    if _top(module) == PACKAGE:
        return [module]
    words = module.split(".")
    return [".".join(words[: i + 1]) for i in range(len(words))]


@cache
def _spec(module: str) -> ModuleSpec | None:
    """Where Python would find a module; nothing is imported for it."""
    parent, _, name = module.rpartition(".")
    try:
        if not parent:
            return find_spec(name)
        package = _spec(parent)
        places = package and package.submodule_search_locations
        return PathFinder.find_spec(name, places) if places else None
    except (ImportError, ValueError):  # a name that cannot be a module, or one without a file
        return None


@cache
def _file(module: str) -> Path | None:
    spec = _spec(module)
    return Path(spec.origin) if spec and spec.origin and spec.has_location else None


def _is_library(file: Path) -> bool:
    """Whether a file belongs to Python or was installed, so that nobody edits it."""
    return not INSTALLED.isdisjoint(file.parts) or any(file.resolve().is_relative_to(folder) for folder in STANDARD)


def _texts(file: Path) -> list[Path]:
    """A file, and the stub beside it that names what a package imports on first use."""
    return [path for path in (file, file.with_suffix(".pyi")) if path.exists()]


@cache
def _imports(module: str) -> list[str]:
    """The modules with a file that a module imports: those of its own package, of ours, and what is not a library."""
    file = _file(module)
    if file is None or file.suffix != ".py":
        return []
    nodes = (node for path in _texts(file) for node in ast.walk(_tree(path)))
    names = {part for node in nodes for name in _named(node, module) for part in _parts(name)}
    if _top(module) == PACKAGE:
        names.discard(PACKAGE)
    files = {name: found for name in sorted(names) if (found := _file(name))}
    return [name for name, found in files.items() if _top(name) in (PACKAGE, _top(module)) or not _is_library(found)]


def _tree(file: Path) -> ast.AST:
    try:
        return ast.parse(file.read_bytes())
    except SyntaxError:  # the file counts; what it would import, if it were mended, does not
        return ast.Module([], [])


def _named(node: ast.AST, module: str) -> Iterator[str]:
    """What an import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        home = _home(node, module)
        if home:
            yield home
            yield from (f"{home}.{alias.name}" for alias in node.names)


def _home(node: ast.ImportFrom, module: str) -> str:
    """The module that names are imported from; empty if a relative import leaves its package."""
    spec = _spec(module)
    package = module if spec and spec.submodule_search_locations is not None else module.rpartition(".")[0]
    try:
        return resolve_name("." * node.level + (node.module or ""), package)
    except ImportError:
        return ""
