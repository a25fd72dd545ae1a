"""The site: built offline, with numbers and tables from the figures folder."""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import jinja2

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "_extensions"))
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import paper_to_code  # noqa: E402

from hdbwk import __version__  # noqa: E402
from hdbwk.reporting.findings import Findings  # noqa: E402

project, author, release = "hdbwk", "The hdbwk developers", __version__
copyright = f"{author}, MIT licence"
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "myst_nb",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "paper_to_code",
]
exclude_patterns = [
    "_build",
    "_extensions",
    "examples",
    "auto_examples/*.ipynb",
    "auto_examples/*.py*",
    "auto_examples/*.json",
]
smartquotes = False  # s0' is no quotation
templates_path = ["_templates"]
suppress_warnings = ["myst.header"]  # the parameter tables, which are generated, begin at the third level

html_theme = "pydata_sphinx_theme"
html_title = "hdbwk"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("tables.js", {"defer": "defer"})]
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_sidebars = {page: [] for page in ("index", "start", "paper_to_code", "fast", "source/**")}
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_toc_level": 2,
    "header_links_before_dropdown": 8,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": {"**": ["page-toc"], "paper_to_code": [], "source/**": []},
}

myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
nb_execution_mode = os.environ.get("HDBWK_NOTEBOOKS", "cache")
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_execution_excludepatterns = [
    "notebooks/results.ipynb"
]  # it opens the tables of a finished run: `make report` runs it
nb_merge_streams = True

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "auto_examples",
    "filename_pattern": "/plot_",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "show_memory": False,
    "min_reported_time": 10**6,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "plot_gallery": os.environ.get("HDBWK_GALLERY", "true") == "true",
}


FOUND = Findings(ROOT / "figures")


def ledger(name: str) -> str:
    """A ledger as a table that sorts and filters, or a sentence where there is none."""
    if not FOUND.has(f"{name}.md"):
        return f"*This run made no table {name}.*"
    table = (FOUND.folder / f"{name}.md").read_text(encoding="utf-8")
    return f":::{{container}} ledger\n{table}\n:::"


def figure(name: str, alt: str) -> str:
    """A figure of the run with its data, or nothing."""
    if not FOUND.has(f"{name}.png"):
        return ""
    return f"![{alt}](/../figures/{name}.png)\n\n{{download}}`data <../../figures/{name}.csv>`"


PAGES = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
PAGES.globals.update(found=FOUND, ledger=ledger, figure=figure, paper_to_code=paper_to_code.markdown)


def fill_in(app: Any, name: str, source: list[str]) -> None:
    """Replace what stands in double braces on a page by what the figures folder says."""
    if "{{" in source[0] and not name.startswith(("auto_examples", "notebooks", "generated")):
        source[0] = PAGES.from_string(source[0]).render()


def escape_bars(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Bars of docstrings, as in |mu_j|, are no substitutions of docutils."""
    for i, line in enumerate(lines):
        parts = re.split(r"(``.*?``)", line)
        lines[i] = "".join(part if part.startswith("``") else part.replace("|", r"\|") for part in parts)


def bring_notebooks() -> None:
    """The notebooks of the project, beside the pages that refer to them."""
    folder = HERE / "notebooks"
    folder.mkdir(exist_ok=True)
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        copy = folder / notebook.name
        if not copy.exists() or copy.read_bytes() != notebook.read_bytes():
            shutil.copy(notebook, copy)


def setup(app: Any) -> None:
    """Sphinx calls this."""
    bring_notebooks()
    app.connect("source-read", fill_in)
    app.connect("autodoc-process-docstring", escape_bars, priority=900)
