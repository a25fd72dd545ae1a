"""Only the comparison, without the bars: prints its tables and draws the figure."""

import benchmarks.environment  # noqa: F401, I001
from pathlib import Path

from benchmarks.comparison.figure import draw
from benchmarks.comparison.report import comparison_tables, machine
from benchmarks.comparison.run import compare
from hdbwk.core.files import write_csv

table = compare()
print(f"{machine()}\n\n{comparison_tables(table)}")
folder = Path("figures")
write_csv(table, folder / "fig5_speed.csv")
draw(table, [folder / "fig5_speed.pdf", folder / "fig5_speed.png"])
