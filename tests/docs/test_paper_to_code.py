"""Links from the paper to the code do not rot."""

import re
import sys
from pathlib import Path

import pytest

from hdbwk.ledgers.rate_rows import RATES
from hdbwk.ledgers.statements import STATEMENTS

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs/_extensions"))
import paper_to_code  # noqa: E402

LINES = {"Algorithm 1": 10, "Algorithm 2": 14, "Algorithm 3": 6, "Algorithm 4": 13}  # of the paper's boxes


@pytest.mark.parametrize("entry", list(paper_to_code.entries()), ids=lambda entry: entry["paper"])
def test_a_fragment_is_in_one_line_of_its_file(entry):
    for reference in [*entry.get("textbook", []), *entry.get("fast", [])]:
        assert paper_to_code.locate(reference).line > 0


def test_every_statement_of_the_paper_is_there():
    names = [entry["paper"] for entry in paper_to_code.entries()]
    assert [statement for statement in STATEMENTS if statement not in names] == []


@pytest.mark.parametrize("algorithm", LINES)
def test_every_line_of_an_algorithm_is_there(algorithm):
    (section,) = (part for part in paper_to_code.sections() if part["title"].startswith(algorithm))
    said = [entry["paper"] for entry in section["entries"] if entry["paper"].startswith("line")]
    ends = [[int(number) for number in re.findall(r"\d+", words)] for words in said]
    covered = {line for first, *last in ends for line in range(first, max([first, *last]) + 1)}
    assert covered == set(range(1, LINES[algorithm] + 1))


def test_rows_are_results_of_the_ledger():
    known = {rate.result for rate in RATES}
    named = {row for entry in paper_to_code.entries() for row in entry.get("rows", [])}
    assert named <= known


def test_textbook_and_fast_code_are_told_apart():
    for entry in paper_to_code.entries():
        assert all(reference.startswith("textbook/") for reference in entry.get("textbook", []))
        assert not any(reference.startswith("textbook/") for reference in entry.get("fast", []))
