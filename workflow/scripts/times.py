"""Measure what a round of each method of an experiment costs."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.experiments.field.times import times
from hdbwk.experiments.registry import experiment
from hdbwk.pipeline.tables import write_table

origin = snakemake.params.origin
write_table(times(experiment(snakemake.params.spec), origin["seed"]), snakemake.output[0], origin)
