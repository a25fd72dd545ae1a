"""Diagnose the assumptions on the instances of the experiments."""

from _job import log_to

log_to(snakemake.log[0])

import pandas as pd

from hdbwk.experiments.registry import experiment
from hdbwk.ledgers.assumptions import judge, markdown
from hdbwk.pipeline.tables import write_csv, write_text

table = judge({name: experiment(spec) for name, spec in snakemake.params.specs.items()}, snakemake.params.seed, **snakemake.params.size)
write_csv(table, snakemake.output.csv)
write_text(markdown(pd.read_csv(snakemake.output.csv)), snakemake.output.md)
