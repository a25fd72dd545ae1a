"""Draw one figure, with its data beside it."""

from _job import log_to

log_to(snakemake.log[0])

import importlib

from hdbwk.tables import read_table, write_csv

plot = importlib.import_module(f"hdbwk.plotting.{snakemake.params.plot}")
expected = zip(snakemake.input.tables, snakemake.params.origins, strict=True)
tables = [read_table(path, origin)[0] for path, origin in expected]
data = plot.curves(*tables, snakemake.params.spec)
write_csv(data, snakemake.output.csv)
plot.draw(data, snakemake.params.spec, [snakemake.output.pdf, snakemake.output.png])
