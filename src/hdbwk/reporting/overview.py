"""The first page of the report: what the ledgers say in a line each, and a thumbnail of every figure."""

import base64
import html
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from hdbwk.reporting.findings import LEDGERS, Findings
from hdbwk.reporting.pages import STYLE, html_page

THUMBNAIL = 480  # pixels
GRID = """
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1.2rem; }
figure { margin: 0; border: 1px solid #ddd; border-radius: .3rem; padding: .6rem; }
figure img { width: 100%; }
figcaption { font-size: 13px; color: #444; }
"""


def overview_page(folder: Path, figures: Sequence[Path], captions: Mapping[str, str]) -> str:
    """
    A page that needs nothing from elsewhere.

    Parameters
    ----------
    folder : Path
        That of the ledgers.
    figures : sequence of paths
        Pictures, in the order of the page.
    captions : mapping
        What they show, by the names of their files without ending.
    """
    found = Findings(folder)
    lines = [f"<li>{named}: {found.counts(name)}</li>" for name, named in LEDGERS.items() if len(found.verdicts(name))]
    pictures = [_figure(path, captions.get(path.stem, "")) for path in figures]
    body = f'<h1>Overview</h1><ul>{"".join(lines)}</ul><div class="figures">{"".join(pictures)}</div>'
    return html_page("Overview", body, STYLE + GRID)


def _figure(path: Path, caption: str) -> str:
    name = html.escape(path.stem)
    image = f'<img alt="{name}" src="data:image/png;base64,{_thumbnail(path)}">'
    return f"<figure>{image}<figcaption><b>{name}</b> {html.escape(caption)}</figcaption></figure>"


def _thumbnail(path: Path) -> str:
    """A small copy, as text."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB")
    small.thumbnail((THUMBNAIL, THUMBNAIL))
    data = io.BytesIO()
    small.quantize(128).save(data, "png", optimize=True)
    return base64.b64encode(data.getvalue()).decode()
