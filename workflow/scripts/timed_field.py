"""Write what rounds of the methods of the field cost, for machines and for people."""

from _job import log_to

log_to(snakemake.log[0])

from pathlib import Path

from hdbwk.ledgers import timed_field
from hdbwk.pipeline.tables import read_table
from hdbwk.reporting.tables import write

tables = {}
for path in map(Path, snakemake.input.times):
    name = path.parent.name
    tables[name], _ = read_table(path, snakemake.params.origins[name])
write(timed_field.judge(tables), timed_field.shown, "Timed field", snakemake.output)
