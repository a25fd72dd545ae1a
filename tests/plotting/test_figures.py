"""Figures show the means and limits that their data hold, and equal data give equal files."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from hdbwk import rng
from hdbwk.ledgers import figure as rates_figure
from hdbwk.ledgers import rates
from hdbwk.ledgers.rates_row import Power, Rate
from hdbwk.metrics.decomposition import TERMS
from hdbwk.pipeline.loading import load_folder
from hdbwk.pipeline.resolve import resolve
from hdbwk.plotting import trial
from hdbwk.plotting.bands import draw_bands, handles
from hdbwk.plotting.regret import facets_of
from hdbwk.plotting.style import FAMILIES, line_styles

ROOT = Path(__file__).parents[2]
PLAN = resolve(load_folder(ROOT / "config", ROOT / "config/smoke.yaml"))
CURVES = pd.DataFrame(
    {"method": ["a", "a", "b", "b"], "t": [1, 2, 1, 2], "mean": [3.0, 4, 1, 9], "low": [2.0, 3, 0, 8]}
).assign(high=lambda rows: rows["mean"] + 1)
STYLES = line_styles({"a": "lasso", "b": "lasso"})


def trials_of(spec):
    """Three trials of every method, on every law of instances, with numbers that grow with the rounds."""
    horizons = spec.all_horizons()
    places = [(T, t) for T in horizons for t in spec.rounds(T)]
    laws = range(len(getattr(spec, "instances", None) or [0]))
    rows = [
        {"method": m, "trial": i, "size": law, "horizon": T, "t": t, "stopping_time": T - i}
        for m in spec.methods
        for i in range(3)
        for law in laws
        for T, t in places
    ]
    table = pd.DataFrame(rows).assign(unconverged=0)
    values = (1 + table["trial"]) * table["t"] ** 0.5
    terms = {term: values / len(TERMS) for term in TERMS}
    return table.assign(regret=values, error=1 / values, support=0.5, **terms)


def times_of(spec):
    """A millisecond more for each method."""
    return pd.DataFrame({"method": list(spec.methods), "seconds": [1e-3 * (i + 1) for i in range(len(spec.methods))]})


def budgets_of(spec):
    """Capacities and prices of two resources."""
    rows = [
        {"method": m, "resource": i, "t": t, "remaining": 1 - t / spec.horizon, "price": 0.1 * i}
        for m in spec.methods
        for i in range(2)
        for t in range(1, spec.horizon + 1)
    ]
    return pd.DataFrame(rows)


SHOWN = [PLAN.experiments[name] for name in PLAN.shown]
FIGURES = [(spec, name, figure) for spec in SHOWN for name, figure in spec.figures().items()]


@pytest.mark.parametrize(("spec", "name", "figure"), FIGURES, ids=[name for _, name, _ in FIGURES])
def test_equal_data_give_equal_files(spec, name, figure, tmp_path):
    module = spec.part(figure.module)
    tables = {"trials": trials_of, "budgets": budgets_of, "times": times_of}
    data = module.curves(*(tables[table](spec) for table in figure.tables), spec)
    for folder in ("first", "second"):
        module.draw(data, spec, [tmp_path / folder / f"{name}.{suffix}" for suffix in ("png", "pdf")])
    for suffix in ("png", "pdf"):
        first, second = ((tmp_path / folder / f"{name}.{suffix}").read_bytes() for folder in ("first", "second"))
        assert first == second
        assert len(first) > 10_000


def test_a_line_shows_the_means_and_a_band_the_limits():
    _, ax = plt.subplots()
    draw_bands(ax, CURVES, STYLES)
    assert [line.get_ydata().tolist() for line in ax.get_lines()] == [[3, 4], [1, 9]]
    assert [to_rgb(line.get_color()) for line in ax.get_lines()] == [STYLES[m]["color"] for m in "ab"]
    spans = [band.get_paths()[0].vertices for band in ax.collections]
    assert [(span[:, 1].min(), span[:, 1].max()) for span in spans] == [(2, 5), (0, 10)]
    plt.close()


def test_a_legend_has_the_order_in_which_curves_end():
    assert list(handles(CURVES, STYLES, {"a": "first", "b": "second"})) == ["b", "a"]


def test_regret_has_a_column_for_each_kind_of_method():
    facets = facets_of({"a": "greedy", "b": "online_ht", "c": "true_propensity", "d": "lasso", "e": "control"})
    assert list(facets.values()) == [["a"], ["b"], ["c"], ["d", "e"]]
    assert list(facets_of({"b": "online_ht", "r": "resolving", "s": "resolving_skip"}).values()) == [["b"], ["r", "s"]]


def test_methods_of_a_family_differ_in_shade_and_dash():
    styles = line_styles(dict.fromkeys("abcde", "greedy"))
    assert len({style["color"] for style in styles.values()}) == 5
    assert len({str(style["linestyle"]) for style in styles.values()}) == 5


def test_a_family_without_a_colour_is_drawn_as_a_control():
    assert line_styles({"mine": "new"}) == line_styles({"mine": "control"})
    assert {params.family for spec in SHOWN for params in spec.methods.values()} <= set(FAMILIES)


def test_one_trial_is_drawn_with_a_line_for_each_resource(tmp_path):
    spec = PLAN.experiments["cbwk"]
    inside = budgets_of(spec).melt(["method", "resource", "t"], ["remaining", "price"], var_name="measure")
    regret = trials_of(spec).query("trial == 0").rename(columns={"regret": "value"}).assign(measure="regret")
    table = pd.concat([regret, inside]).reindex(columns=["method", "measure", "resource", "t", "value"])
    trial.draw(table, spec, "one trial", [tmp_path / "trial.png"])
    assert (tmp_path / "trial.png").stat().st_size > 10_000


def test_figure_4_has_a_panel_for_each_rate(tmp_path, monkeypatch):
    sizes = np.array([250, 500, 1000])
    values = pd.DataFrame(rng(1, "panels").lognormal(0, 0.1, (5, 3)) * sizes**0.5, columns=sizes)
    config = {"ledgers": {"level": 0.05, "controls_must_fail": True}}
    rows = [Rate("f", "Theorem x", 1, f"regret {i}", "T", "x", lambda _: values, Power(0.5)) for i in range(2)]
    titles = []
    monkeypatch.setattr(rates_figure, "save", lambda figure, _: titles.extend(ax.get_title() for ax in figure.axes))
    rates_figure.draw(rates.points(config, {}, rows), rates.judge(config, {}, rows), [tmp_path / "rates.png"])
    assert titles == ["Theorem x\nregret 0", "Theorem x\nregret 1"]
