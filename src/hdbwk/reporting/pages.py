"""Small self-contained HTML pages for the report, and that of what a run was made with."""

import html
import json
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pandas as pd
import yaml

from hdbwk import __version__

SOFTWARE = ("numpy", "scipy", "numba", "scikit-learn", "pandas", "pyarrow", "matplotlib", "seaborn", "snakemake")
STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem; color: #222; }
table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: #fff; }
pre { background: #f6f6f6; padding: .8rem; overflow-x: auto; }
"""


def html_page(title: str, body: str, style: str = STYLE) -> str:
    """A page that needs nothing from elsewhere."""
    head = f'<head><meta charset="utf-8"><title>{html.escape(title)}</title><style>{style}</style></head>'
    return f'<!doctype html>\n<html lang="en">{head}\n<body>{body}</body></html>\n'


def titled_page(title: str, body: str) -> str:
    """A page with a heading."""
    return html_page(title, f"<h1>{html.escape(title)}</h1>\n{body}")


def inert(value: Any) -> str:
    r"""
    A value as JSON in which no page can see a tag.

    Snakemake writes the parameters of the jobs that its report shows into a script, where ``</script>`` would end it.

    Examples
    --------
    >>> print(inert({"note": "</script>"}))
    {"note": "\u003c/script>"}
    """
    return json.dumps(value).replace("<", r"\u003c")


def about_page(config: object) -> str:
    """Versions of the software, and the configuration of the run."""
    versions = {"hdbwk": __version__, "Python": platform.python_version()}
    versions |= {name: _version(name) for name in SOFTWARE}
    table = pd.DataFrame(versions.items(), columns=["software", "version"]).to_html(index=False, border=0)
    text = html.escape(yaml.safe_dump(config, sort_keys=False))
    return titled_page("Software and configuration", f"{table}<h2>Configuration</h2><pre>{text}</pre>")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
