"""Write what rounds of the methods of the field cost, for machines and for people."""

from _job import log_to

log_to(snakemake.log[0])

from pathlib import Path

from hdbwk.ledgers import timed_field
from hdbwk.pipeline.tables import read_table
from hdbwk.reporting.tables import write

names = [Path(path).parent.name for path in snakemake.input.times]
tables = [read_table(path, snakemake.params.origins[name])[0] for name, path in zip(names, snakemake.input.times)]
write(timed_field.judge(dict(zip(names, tables))), timed_field.shown, "Timed field", snakemake.output)
