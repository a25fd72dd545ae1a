"""Numbers of documents are those of the tables that they are read from."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from hdbwk.reporting.documents import filled
from hdbwk.reporting.findings import Findings, summary
from hdbwk.reporting.front import draw
from hdbwk.reporting.overview import overview_page

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    """A run with two curves and three ledgers."""
    curves = [("rounds", "a", 1, 5.0), ("rounds", "a", 2, 7.0), ("horizons", "a", 2, 7.0), ("horizons", "a", 4, 9.0)]
    pd.DataFrame(curves, columns=["panel", "method", "t", "mean"]).to_csv(tmp_path / "fig.csv", index=False)
    claims = [("x", "partly"), ("x", "partly"), ("y", "reproduced")]
    pd.DataFrame(claims, columns=["claim", "verdict"]).to_csv(tmp_path / "claims.csv", index=False)
    rates = [(False, "consistent"), (True, "growth exceeds the bound"), (False, "no power")]
    pd.DataFrame(rates, columns=["control", "verdict"]).to_csv(tmp_path / "rates.csv", index=False)
    field = [("the paper's", "behind"), ("best", "behind"), ("the paper's", "ahead")]
    pd.DataFrame(field, columns=["why", "verdict"]).to_csv(tmp_path / "field.csv", index=False)
    return tmp_path


def test_a_curve_is_read_at_its_end_at_a_round_and_at_the_longest_horizon(folder):
    found = Findings(folder)
    assert (found.final("fig", "a"), found.at("fig", "a", 1), found.longest("fig", "a")) == (7, 5, 9)
    with pytest.raises(LookupError, match=r"fig\.csv has no curve of b"):
        found.final("fig", "b")


def test_claims_count_once_and_controls_and_comparisons_with_the_best_not_at_all(folder):
    found = Findings(folder)
    assert found.counts("claims") == "1 reproduced, 1 partly"
    assert found.counts("rates") == "1 consistent, 1 no power"
    assert sorted(found.verdicts("field")) == ["ahead", "behind"]
    assert found.counts("assumptions") == ""


def test_a_block_of_a_document_may_be_what_a_folder_of_figures_says():
    text = filled("a\n<!-- from figures -->\nold\n<!-- end -->\nb", ROOT)
    assert text == f"a\n<!-- from figures -->\n{summary(ROOT / 'figures')}<!-- end -->\nb"


def test_the_front_picture_gains_the_field_once_there_is_one(tmp_path):
    shutil.copy(ROOT / "figures/fig3_cbwk.csv", tmp_path)
    draw(tmp_path)
    alone = (tmp_path / "front.png").read_bytes()
    rows = [("rounds", "paper", m, 10, r, r - 1, r + 1) for m, r in {"resolving_ht": 5.0, "square_cbwk": 9.0}.items()]
    columns = ["panel", "instance", "method", "t", "mean", "low", "high"]
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "fig8_field_knapsack.csv", index=False)
    draw(tmp_path)
    assert (tmp_path / "front.png").read_bytes() != alone


def test_the_overview_shows_counts_and_small_pictures(folder, tmp_path):
    page = overview_page(folder, [ROOT / "figures/fig1_recovery.png"], {"fig1_recovery": "a < b"})
    assert "Claims of Section 8: 1 reproduced, 1 partly" in page
    assert "a &lt; b" in page
    assert len(page) < 200_000
