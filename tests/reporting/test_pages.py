"""Pages of the report."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from hdbwk import __version__
from hdbwk.reporting.pages import about_page

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("src", "workflow", "benchmarks") for path in (ROOT / folder).rglob("*.py"))


def test_about_names_versions_and_the_configuration():
    page = about_page({"seed": 2024, "results": "a & b"})
    assert f"<td>{__version__}</td>" in page
    assert "<td>numba</td>" in page
    assert "results: a &amp; b" in page


def unnamed_encodings(path):
    """Calls that read or write a text in whatever encoding the locale has."""
    for call in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(call, ast.Call) and re.fullmatch(r"open|.*\.(read_text|write_text|open)", ast.unparse(call.func)):
            binary = any(isinstance(mode, ast.Constant) and "b" in str(mode.value) for mode in call.args[-1:])
            if not binary and "encoding" not in {keyword.arg for keyword in call.keywords}:
                yield ast.unparse(call)


def test_all_code_names_the_encoding_of_its_texts():
    found = [call for path in FILES for call in unnamed_encodings(path) if not call.startswith("os.open(")]
    assert len(FILES) > 60
    assert found == []


def test_a_page_is_in_utf_8_whatever_the_locale(tmp_path):
    code = (
        "import sys; from hdbwk.reporting.documents import main; from hdbwk.reporting.pages import titled_page\n"
        "from hdbwk.core.files import write_text; from pathlib import Path\n"
        r"write_text(titled_page('\u00fc', '<p>\u221a</p>'), sys.argv[1] + '/page.html')"
        "\nmain(Path(sys.argv[1]))"
    )
    for name in ("README.md", "DEVIATIONS.md"):
        (tmp_path / name).write_text("√\n<!-- from page.html -->\n<!-- end -->", encoding="utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], env={**os.environ, **plain}, check=True)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h1>ü</h1>" in page
    assert "<p>√</p>" in page
    assert page in (tmp_path / "README.md").read_text(encoding="utf-8")
