"""Diagnose the assumptions on the instances of the experiments."""

from _job import log_to

log_to(snakemake.log[0])

import json

from hdbwk.experiments.registry import experiment
from hdbwk.ledgers.assumptions import judge, shown
from hdbwk.reporting.tables import write

specs = {name: experiment(spec) for name, spec in json.loads(snakemake.params.specs).items()}
table = judge(specs, snakemake.params.seed, **snakemake.params.size)
write(table, shown, "Assumptions", snakemake.output)
