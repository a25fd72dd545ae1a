"""Draw one figure, with its data beside it."""

from _job import log_to

log_to(snakemake.log[0])

import importlib

from hdbwk.tables import read_table, write_csv

plot = importlib.import_module(f"hdbwk.plotting.{snakemake.params.plot}")
table, _ = read_table(snakemake.input.trials)
data = plot.curves(table, snakemake.params.spec)
write_csv(data, snakemake.output.csv)
plot.draw(data, snakemake.params.spec, [snakemake.output.pdf, snakemake.output.png])
