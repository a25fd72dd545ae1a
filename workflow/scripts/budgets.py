"""Follow capacities and prices through one trial of every method."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.experiments.cbwk.trial import budgets
from hdbwk.experiments.registry import experiment
from hdbwk.pipeline.tables import write_table

origin = snakemake.params.origin
table = budgets(experiment(snakemake.params.spec), trial=0, seed=origin["seed"])
write_table(table, snakemake.output[0], origin)
