"""The article compiles from the tables of the figures folder, and its numbers are theirs."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hdbwk.reporting.findings import Findings

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("typst") is None, reason="make docs installs typst"),
]


@pytest.fixture
def project(tmp_path):
    for part in ("article", "figures"):
        shutil.copytree(ROOT / part, tmp_path / part)
    return tmp_path


def pages(project):
    """The article as one picture for each page."""
    subprocess.run([sys.executable, project / "article/build.py", "--pages"], check=True, capture_output=True)
    return sorted((project / "article").glob("page-*.png"))


def test_it_has_six_to_ten_pages(project):
    assert 6 <= len(pages(project)) <= 10


def test_another_run_gives_other_numbers(project):
    before = [page.read_bytes() for page in pages(project)]
    table = project / "figures/fig3_cbwk.csv"
    rows = [line.split(",") for line in table.read_text().splitlines()]
    table.write_text("\n".join(",".join([*row[:3], "123456" if i else row[3], *row[4:]]) for i, row in enumerate(rows)))
    after = [page.read_bytes() for page in pages(project)]
    assert before != after


def test_its_numbers_can_be_asked_for(project):
    import typst

    (project / "article/ask.typ").write_text(
        '#import "numbers.typ": *\n#metadata((claims.len(), whole(final("fig3_cbwk", "lincbwk")))) <asked>'
    )
    made = json.dumps(sorted(path.name for path in (project / "figures").iterdir()))
    found = typst.query(
        project / "article/ask.typ", "<asked>", field="value", one=True, root=project, sys_inputs={"made": made}
    )

    own = Findings(project / "figures")
    assert json.loads(found) == [len(own.verdicts("claims")), f"{own.final('fig3_cbwk', 'lincbwk'):.0f}"]


def test_its_metadata_is_that_of_a_replication():
    metadata = yaml.safe_load((ROOT / "article/metadata.yaml").read_text(encoding="utf-8"))
    assert metadata["title"].startswith("[Re] ")
    assert metadata["article_type"] == "Replication"
