"""The notebooks run on the tables of a workflow, and are kept without outputs."""

import json
import re
from pathlib import Path

import pytest

from hdbwk.reporting.notebooks import render

ROOT = Path(__file__).parents[2]
NAMES = ["estimator", "knapsack", "own_data", "results"]


@pytest.fixture(scope="module")
def pages(paged):
    """The pages that the workflow makes of the notebooks."""
    return {name: (paged / f"results/smoke/notebooks/{name}.html").read_text() for name in NAMES}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pictures"), {"estimator": 3, "knapsack": 2, "own_data": 1, "results": 3}.items())
def test_pages_hold_their_pictures_and_need_nothing_from_elsewhere(pages, name, pictures):
    page = pages[name]
    assert page.count("data:image/png;base64,") == pictures
    assert "<script" not in page
    links = re.findall(r'(?:src|href)="([^"]{0,40})', page) + re.findall(r"url\(([^)]*)", page)
    assert [link for link in links if not link.startswith(("data:", "#"))] == []
    assert "Warning" not in page


@pytest.mark.slow
def test_the_results_page_shows_the_ledgers(pages):
    assert "linCBwK suffers from large regret" in pages["results"]
    assert "Theorem resolving-regret" in pages["results"]
    missing = re.findall(r"<strong>(\w+)</strong>: not made in this run", pages["results"])
    assert {"claims", "rates", "assumptions"}.isdisjoint(missing)


@pytest.mark.slow
def test_a_notebook_that_fails_makes_no_page(tmp_path):
    run = {"results": str(tmp_path), "figures": str(tmp_path), "origins": {"recovery/trials.parquet": {}}}
    with pytest.raises(Exception, match=r"trials\.parquet is not a readable parquet file"):
        render(ROOT / "notebooks/results.ipynb", {"HDBWK_RUN": json.dumps(run)})


def test_there_are_four_notebooks():
    assert sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_are_small_and_without_outputs(name):
    cells = json.loads((ROOT / f"notebooks/{name}.ipynb").read_text())["cells"]
    assert len(cells) <= 15
    ran = [cell for cell in cells if cell["cell_type"] == "code" and (cell["outputs"] or cell["execution_count"])]
    assert ran == [], f"strip them: jupyter nbconvert --clear-output --inplace notebooks/{name}.ipynb"
