"""Draw the rates ledger."""

from _job import log_to

log_to(snakemake.log[0])

import json
from pathlib import Path

import pandas as pd

from hdbwk.ledgers.rates import points
from hdbwk.plotting.rates import draw
from hdbwk.tables import read_table, write_csv

trials = {Path(path).parent.name: read_table(path)[0] for path in snakemake.input.trials}
data = points(json.loads(snakemake.params.settings), trials)
write_csv(data, snakemake.output.csv)
draw(data, pd.read_csv(snakemake.input.ledger), [snakemake.output.pdf, snakemake.output.png])
