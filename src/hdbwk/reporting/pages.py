"""Small self-contained HTML pages for the report: ledgers as tables, and what a run was made with."""

import html
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import pandas as pd
import yaml

from hdbwk import __version__

STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem; color: #222; }
table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: #fff; }
td.good { background: #d9f0e8; } td.middle { background: #fdf0d0; } td.bad { background: #f8ddd0; }
pre { background: #f6f6f6; padding: .8rem; overflow-x: auto; }
"""
COLOURS = {"reproduced": "good", "holds": "good", "partly": "middle", "inconclusive": "middle", "unclear": "middle"}
COLOURS |= {"not reproduced": "bad", "fails": "bad"}
SOFTWARE: tuple[str, ...] = ("numpy", "scipy", "numba", "scikit-learn", "pandas", "pyarrow", "pydantic", "matplotlib")
SOFTWARE += ("seaborn", "snakemake", "nbconvert")


def ledger_page(title: str, markdown: str) -> str:
    """A table in markdown as a page; verdicts have colours."""
    rows = [_cells(line) for line in markdown.strip().splitlines()]
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in rows[0])
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows[2:])
    return _page(title, f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>")


def inert(value: Any) -> str:
    """
    A value as JSON in which no page can see a tag.

    Snakemake writes the parameters of the jobs that its report shows into a script, where ``</script>`` would end it.

    Examples
    --------
    >>> print(inert({"note": "</script>"}))
    {"note": "\\u003c/script>"}
    """
    return json.dumps(value).replace("<", r"\u003c")


def about_page(config: Mapping[str, Any]) -> str:
    """Versions of the software, and the configuration of the run."""
    versions = {"hdbwk": __version__, "Python": platform.python_version(), **{name: version(name) for name in SOFTWARE}}
    table = pd.DataFrame({"software": list(versions), "version": list(versions.values())}).to_html(
        index=False, border=0
    )
    text = html.escape(yaml.safe_dump(dict(config), sort_keys=False))
    return _page("Software and configuration", f"{table}<h2>Configuration</h2><pre>{text}</pre>")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _cell(text: str) -> str:
    """A cell; **bold** marks a verdict."""
    word = text.removeprefix("**").partition("**")[0] if text.startswith("**") else ""
    colour = f' class="{COLOURS[word]}"' if word in COLOURS else ""
    return f"<td{colour}>{html.escape(text.replace('**', ''))}</td>"


def _page(title: str, body: str) -> str:
    head = f'<head><meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style></head>'
    return f"<!doctype html>\n<html>{head}<body><h1>{html.escape(title)}</h1>\n{body}</body></html>\n"
