"""Write one ledger, for machines and for people."""

from _job import log_to

log_to(snakemake.log[0])

import importlib

import pandas as pd

from hdbwk.ledgers.trials import read_trials
from hdbwk.core.files import write_csv, write_text

ledger = importlib.import_module(f"hdbwk.ledgers.{snakemake.params.ledger}")
trials = read_trials(snakemake.input.trials, snakemake.params.origins)
table = ledger.judge(snakemake.params.settings, trials)
write_csv(table, snakemake.output.csv)
write_text(ledger.markdown(pd.read_csv(snakemake.output.csv)), snakemake.output.md)
