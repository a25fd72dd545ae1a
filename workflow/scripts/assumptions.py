"""Diagnose the assumptions on the instances of the experiments."""

from _job import log_to

log_to(snakemake.log[0])

import pandas as pd

from hdbwk.ledgers.assumptions import judge, markdown
from hdbwk.core.files import write_csv, write_text

table = judge(snakemake.params.specs, snakemake.params.seed, **snakemake.params.size)
write_csv(table, snakemake.output.csv)
write_text(markdown(pd.read_csv(snakemake.output.csv)), snakemake.output.md)
