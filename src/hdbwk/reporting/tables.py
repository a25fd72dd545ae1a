"""The one writer of tables: numbers for machines, and the same for people as markdown and as a page."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from hdbwk.core.files import write_csv, write_text
from hdbwk.reporting.pages import titled_page

GOOD, MIDDLE, BAD = "background: #d9f0e8", "background: #fdf0d0", "background: #f8ddd0"
COLOURS = {"reproduced": GOOD, "holds": GOOD, "partly": MIDDLE, "inconclusive": MIDDLE, "unclear": MIDDLE}
COLOURS |= {"not reproduced": BAD, "fails": BAD, "consistent": GOOD, "no power": MIDDLE}
COLOURS |= {"growth exceeds the bound": BAD, "above the bound": BAD}


def write(
    table: pd.DataFrame, shown: Callable[[pd.DataFrame], pd.DataFrame], title: str, paths: Sequence[str | Path]
) -> None:
    """
    Write a table in every format asked for; all hold the same six digits.

    Parameters
    ----------
    table : DataFrame
        For the file that ends in .csv.
    shown : callable
        From the table to the columns for people, for files that end in .md and .html.
    title : str
        Of the page.
    paths : sequence of paths
    """
    table = table.apply(lambda column: column.map(_six_digits) if column.dtype == float else column)
    for path in map(Path, paths):
        if path.suffix == ".csv":
            write_csv(table, path)
        else:
            people = shown(table)
            write_text(markdown(people) if path.suffix == ".md" else page(title, people), path)


def markdown(shown: pd.DataFrame) -> str:
    """A table for people in markdown, verdicts in bold."""
    bold = {name: "**" + shown[name] + "**" for name in shown if name == "verdict"}
    return shown.assign(**bold).to_markdown(index=False, disable_numparse=True, stralign=None) + "\n"


def page(title: str, shown: pd.DataFrame) -> str:
    """A table for people as a page, verdicts in colours."""
    style = shown.style.hide(axis="index").format(str, escape="html")
    style = style.map(lambda word: COLOURS.get(word, ""), subset=[name for name in shown if name == "verdict"])
    return titled_page(title, style.to_html(table_uuid="table"))


def _six_digits(value: float) -> float:
    return float(f"{value:.6g}")
