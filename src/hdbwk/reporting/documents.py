"""Generated parts of hand-written documents: `python -m hdbwk.reporting.documents` brings them up to date."""

import re
import sys
from pathlib import Path

from hdbwk.reporting.findings import summary

DOCUMENTS = ("README.md", "DEVIATIONS.md")
BLOCK = re.compile(r"(<!-- from (?P<source>\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str, root: Path) -> str:
    """
    The text with each block between ``<!-- from SOURCE -->`` and ``<!-- end -->`` made anew.

    A source is a file, or a folder of figures, which stands for what was found there.
    """

    def fresh(block: re.Match[str]) -> str:
        source = root / block["source"]
        made = summary(source) if source.is_dir() else source.read_text(encoding="utf-8")
        return f"{block[1]}{made}{block[3]}"

    return BLOCK.sub(fresh, text)


def main(root: Path) -> None:
    """Bring the documents below `root` up to date."""
    for name in DOCUMENTS:
        document = root / name
        text = document.read_text(encoding="utf-8")
        document.write_text(filled(text, root), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
