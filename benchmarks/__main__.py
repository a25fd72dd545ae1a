"""Measure all bars and the comparison, print and write them, and fail if a bar does not hold."""

import benchmarks.environment  # noqa: F401, I001
import sys
from pathlib import Path

from benchmarks import bandit, bank, cbwk, dual, engines, online_ht, online_lasso, workflow
from benchmarks.bars import with_progress
from benchmarks.comparison.figure import draw
from benchmarks.comparison.report import bar_table, bench_page
from benchmarks.comparison.run import compare
from hdbwk.core.files import write_csv, write_text

rooms = (online_ht, engines, online_lasso, bandit, bank, cbwk, dual, workflow)
bars = [bar for room in rooms for bar in with_progress(room.__name__, room.bars)]
table = bar_table(bars)
print(table.to_markdown(index=False))
comparison = compare()
folder = Path("figures")
write_csv(table, folder / "bench.csv")
write_text(bench_page(table, comparison), folder / "bench.md")
write_csv(comparison, folder / "fig5_speed.csv")
draw(comparison, [folder / "fig5_speed.pdf", folder / "fig5_speed.png"])
sys.exit(0 if all(bar.holds for bar in bars) else 1)
