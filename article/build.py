"""The article as PDF, or with --pages as one PNG for each page: `python article/build.py`."""

import json
import sys
from pathlib import Path

import typst

HERE = Path(__file__).parent


def main(pages: bool) -> None:
    """Compile with the fonts that typst brings along, and tell it which files the run made."""
    made = sorted(path.name for path in (HERE.parent / "figures").iterdir())
    output = HERE / ("page-{0p}.png" if pages else "article.pdf")
    typst.compile(
        HERE / "article.typ",
        output=output,
        root=HERE.parent,
        font_paths=[],
        ignore_system_fonts=True,
        sys_inputs={"made": json.dumps(made)},
        ppi=90 if pages else None,
    )
    print(output)


if __name__ == "__main__":
    main(pages="--pages" in sys.argv[1:])
