"""Compute the fluid benchmarks V_UB / T of one chunk of trials."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.experiments.cbwk.law import KnapsackLaw, benchmarks
from hdbwk.pipeline.chunks import trials_of
from hdbwk.pipeline.tables import write_table

origin = snakemake.params.origin
table = benchmarks(KnapsackLaw(**snakemake.params.spec), trials_of(snakemake.wildcards.chunk), origin["seed"])
write_table(table, snakemake.output[0], origin)
