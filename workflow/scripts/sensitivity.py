"""Write the table of what our choices change."""

from _job import log_to

log_to(snakemake.log[0])

from pathlib import Path

from hdbwk.ledgers.sensitivity import markdown, sensitivity
from hdbwk.tables import read_table, write_csv, write_text

trials = {Path(path).parent.name: read_table(path)[0] for path in [*snakemake.input.base, *snakemake.input.variants]}
table = sensitivity(snakemake.params.bases, trials)
write_csv(table, snakemake.output.csv)
write_text(markdown(table), snakemake.output.md)
