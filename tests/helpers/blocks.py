"""The blocks of code in README and on the site."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("[a-z]*.md")), *sorted((ROOT / "docs").glob("[a-z]*/*.md"))]
FENCE = re.compile(r"^```(?P<language>[a-z]+)(?: (?P<mark>[a-z]+))?\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A block of a page; `mark` is the word after its language, which says who runs it."""

    page: str
    language: str
    mark: str | None
    code: str


BLOCKS = [
    Block(page.relative_to(ROOT).as_posix(), *found.group("language", "mark", "code"))
    for page in PAGES
    for found in FENCE.finditer(page.read_text(encoding="utf-8"))
]


def blocks(language: str, mark: str | None = None) -> list[Block]:
    """Those of a language with that mark."""
    return [block for block in BLOCKS if (block.language, block.mark) == (language, mark)]


def named(name: str) -> str:
    """The code of the block whose first line is a comment with the name of a file."""
    (found,) = (block.code for block in BLOCKS if block.code.startswith(f"# {name}\n"))
    return found
