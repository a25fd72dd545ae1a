"""Write one ledger, for machines and for people."""

from _job import log_to

log_to(snakemake.log[0])

import importlib
from pathlib import Path

import pandas as pd

from hdbwk.tables import read_table, write_csv, write_text

ledger = importlib.import_module(f"hdbwk.ledgers.{snakemake.rule}")
trials = {}
for path in snakemake.input.trials:
    table, origin = read_table(path)
    table.attrs["seconds"] = origin["seconds"]
    trials[Path(path).parent.name] = table
table = ledger.judge(snakemake.params.settings, trials)
write_csv(table, snakemake.output.csv)
write_text(ledger.markdown(pd.read_csv(snakemake.output.csv)), snakemake.output.md)
