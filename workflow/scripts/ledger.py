"""Write one ledger, for machines and for people."""

from _job import log_to

log_to(snakemake.log[0])

import importlib
import json

from hdbwk.pipeline.tables import read_trials
from hdbwk.reporting.tables import write

name = snakemake.params.ledger
ledger = importlib.import_module(f"hdbwk.ledgers.{name}")
trials = read_trials(snakemake.input.trials, snakemake.params.origins)
table = ledger.judge(json.loads(snakemake.params.settings), trials)
write(table, ledger.shown, name.capitalize(), snakemake.output)
