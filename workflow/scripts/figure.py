"""Draw one figure, with its data beside it."""

from _job import log_to

log_to(snakemake.log[0])

import importlib
import json

from hdbwk.tables import read_table, write_csv

spec = json.loads(snakemake.params.spec)
plot = importlib.import_module(f"hdbwk.plotting.{snakemake.params.plot}")
<<<<<<< HEAD
expected = zip(snakemake.input.tables, snakemake.params.origins, strict=True)
tables = [read_table(path, origin)[0] for path, origin in expected]
data = plot.curves(*tables, snakemake.params.spec)
=======
tables = [read_table(path)[0] for path in snakemake.input.tables]
data = plot.curves(*tables, spec)
>>>>>>> mend-files
write_csv(data, snakemake.output.csv)
plot.draw(data, spec, [snakemake.output.pdf, snakemake.output.png])
