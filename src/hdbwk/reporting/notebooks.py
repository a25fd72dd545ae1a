"""Notebooks as web pages that need nothing else: executed, styles and pictures inside, no scripts."""

import os
from collections.abc import Mapping
from pathlib import Path

from hdbwk.reporting.pages import html_page

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
img { max-width: 100%; }
pre { font-size: 13px; overflow-x: auto; margin: 0; white-space: pre-wrap; }
div.input_area { background: #f6f8fa; border-left: 3px solid #0072B2; padding: .6rem .8rem; margin: .8rem 0; }
div.output_subarea { overflow-x: auto; margin: .5rem 0; }
div.prompt, a.anchor-link { display: none; }
table { border-collapse: collapse; font-size: 13px; }
table, th, td { border: 0; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #ddd; vertical-align: top; }
"""


def render(notebook: Path, environment: Mapping[str, str], timeout: int = 600) -> str:
    """
    Execute a notebook in its own folder and return it as a page.

    Parameters
    ----------
    notebook : Path
    environment : mapping
        Variables that the notebook reads, beside those of this process.
    timeout : int
        Seconds that a cell may take.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter

    content = nbformat.read(notebook, as_version=4)
    resources = {"metadata": {"path": str(notebook.parent)}}
    client = NotebookClient(content, timeout=timeout, kernel_name="python3", resources=resources)
    client.execute(env={**os.environ, **environment})
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(content)
    style = STYLE + HtmlFormatter(nobackground=True).get_style_defs(".highlight")
    return html_page(notebook.stem, body, style)
