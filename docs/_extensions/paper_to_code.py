"""The page *Paper to code*, made from paper_to_code.yaml, and pages of source with an anchor for each line."""

import html
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from hdbwk.ledgers.verdicts import counted

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/hdbwk"
TABLE = ROOT / "docs/paper_to_code.yaml"


class Place(NamedTuple):
    """A line of code."""

    file: str
    line: int
    text: str

    @property
    def link(self) -> str:
        """Its place on the site, as seen from a page of the top folder."""
        return f"source/{self.file.removesuffix('.py')}.html#line-{self.line}"


def sections() -> list[dict[str, Any]]:
    """The table, as it is written."""
    return yaml.safe_load(TABLE.read_text(encoding="utf-8"))


def entries() -> Iterator[dict[str, Any]]:
    """Its entries."""
    for section in sections():
        yield from section["entries"]


@cache
def locate(reference: str) -> Place:
    """The one line that ``FILE: FRAGMENT`` names; LookupError if there are others, or none."""
    file, _, fragment = reference.partition(": ")
    found = [
        Place(file, number, line.strip())
        for number, line in enumerate((SOURCE / file).read_text(encoding="utf-8").splitlines(), start=1)
        if fragment in line and not (fragment.startswith("# line") and line.split(fragment)[1][:1].isdigit())
    ]
    if len(found) != 1:
        raise LookupError(f"paper_to_code.yaml: {fragment!r} is in {len(found)} lines of src/hdbwk/{file}, not in one")
    return found[0]


def places() -> Iterator[Place]:
    """All lines that are named."""
    for entry in entries():
        for side in ("textbook", "fast"):
            yield from map(locate, entry.get(side, []))


def markdown() -> str:
    """All sections as tables."""
    return "\n".join(f"## {section['title']}\n\n{_table(section['entries'])}" for section in sections())


def _table(rows: list[dict[str, Any]]) -> str:
    lines = ["| paper | textbook | fast | ledger |", "|---|---|---|---|"]
    for entry in rows:
        said = f"**{entry['paper']}**<br>${entry['tex']}$"
        cells = [said, *(_code(entry.get(side, [])) for side in ("textbook", "fast"))]
        lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in [*cells, _verdicts(entry)]) + " |")
    return "\n".join(lines) + "\n"


def _code(references: list[str]) -> str:
    cells = []
    for place in map(locate, references):
        text = html.escape(place.text.split("  #")[0].strip('"'), quote=False)
        cells.append(f'<a href="{place.link}">{place.file}:{place.line}</a><br><code>{text}</code>')
    return "<br>".join(cells)


def _verdicts(entry: dict[str, Any]) -> str:
    """The verdicts of the entry's rows, linked to their ledger."""
    found = _counted("rates", "result", entry.get("rows", []))
    assumed = _counted("assumptions", "assumption", entry.get("assumptions", []))
    links = [f"[{words}](findings/{page}.md)" for page, words in (("rates", found), ("assumptions", assumed)) if words]
    return "<br>".join(links)


def _counted(ledger: str, column: str, names: list[str]) -> str:
    """How often each verdict occurs in the rows of these names; Theorems A, B of one row count for both."""
    table = pd.read_csv(ROOT / f"figures/{ledger}.csv", dtype=str, keep_default_na=False)
    table = table[table["control"] != "True"] if "control" in table else table
    own = table[column].map(
        lambda cell: any(name in (cell, *cell.removeprefix("Theorems ").split(", ")) for name in names)
    )
    return counted(table[own]["verdict"])


def source_pages(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file that is named."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    style = HtmlFormatter(linenos="inline", linespans="line", cssclass="highlight source")
    for file in sorted({place.file for place in places()}):
        code = highlight((SOURCE / file).read_text(encoding="utf-8"), PythonLexer(), style)
        yield f"source/{file.removesuffix('.py')}", {"title": file, "body": f"<h1>{file}</h1>{code}"}, "page.html"


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True}
