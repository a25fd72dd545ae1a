"""Write one ledger, for machines and for people."""

from _job import log_to

log_to(snakemake.log[0])

import importlib
from pathlib import Path

from hdbwk.tables import read_table, write_csv, write_text

ledger = importlib.import_module(f"hdbwk.ledgers.{snakemake.rule}")
trials = {Path(path).parent.name: read_table(path)[0] for path in snakemake.input.trials}
table = ledger.judge(snakemake.params.variants, trials)
write_csv(table, snakemake.output.csv)
write_text(ledger.markdown(table), snakemake.output.md)
