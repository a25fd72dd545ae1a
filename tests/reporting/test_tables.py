"""A table is written once, for machines and for people."""

import re

import pandas as pd

from hdbwk.reporting.tables import markdown, page, write

TABLE = pd.DataFrame({"claim": ["a < b", "c"], "value": [1.23456789, float("nan")], "verdict": ["partly", "holds"]})


def test_markdown_is_what_the_cells_say_with_bold_verdicts():
    head, line, first, second = markdown(TABLE).splitlines()
    assert head == "| claim | value | verdict |"
    assert re.fullmatch(r"\|(-+\|){3}", line)
    assert first == "| a < b | 1.23456789 | **partly** |"
    assert second == "| c | nan | **holds** |"


def test_numbers_in_texts_stay_as_they_are_written():
    assert "| 8.10 | +1e3 |" in markdown(pd.DataFrame({"section": ["8.10"], "value": ["+1e3"]}))


def test_a_page_escapes_its_cells_and_colours_its_verdicts():
    text = page("Claims & rates", TABLE)
    assert "<h1>Claims &amp; rates</h1>" in text
    assert ">a &lt; b</td>" in text
    assert re.search(r"#T_table_row0_col2\s*\{\s*background: #fdf0d0", text)
    assert text == page("Claims & rates", TABLE)


def test_a_table_without_verdicts_has_a_page():
    assert ">1</td>" in page("Numbers", pd.DataFrame({"count": [1]}))


def test_all_formats_hold_the_same_digits(tmp_path):
    paths = [tmp_path / f"t.{suffix}" for suffix in ("csv", "md", "html")]
    write(TABLE, lambda table: table.rename(columns={"value": "number"}), "t", paths)
    csv, md, html = (path.read_text(encoding="utf-8") for path in paths)
    assert csv.splitlines()[1] == "a < b,1.23457,partly"
    assert "| a < b | 1.23457 |" in md
    assert "1.23457<" in html
