"""Pages of the report."""

from hdbwk import __version__
from hdbwk.pages import about_page, ledger_page


def test_a_ledger_becomes_a_table_with_coloured_verdicts():
    page = ledger_page(
        "Claims", "| claim | verdict |\n|---|---|\n| a < b | **partly** |\n| c | **reproduced**: more |\n"
    )
    assert "<th>claim</th><th>verdict</th>" in page
    assert "<td>a &lt; b</td>" in page
    assert '<td class="middle">partly</td>' in page
    assert '<td class="good">reproduced: more</td>' in page


def test_about_names_versions_and_the_configuration():
    page = about_page({"seed": 2024, "results": "a & b"})
    assert f"<td>{__version__}</td>" in page
    assert "<td>numba</td>" in page
    assert "<td>pytest</td>" not in page
    assert "results: a &amp; b" in page
