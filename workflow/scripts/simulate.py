"""Simulate one method on one chunk of trials."""

from _job import log_to

log_to(snakemake.log[0])

import time

from hdbwk.experiments.cbwk.law import read_benchmarks
from hdbwk.experiments.registry import experiment
from hdbwk.pipeline.chunks import trials_of
from hdbwk.pipeline.tables import read_table, write_table

origin = snakemake.params.origin
spec, trials = experiment(snakemake.params.spec), trials_of(snakemake.wildcards.chunk)
values = None
for path, expected in zip(snakemake.input.fluid, snakemake.params.fluid_origin, strict=True):
    values = read_benchmarks(read_table(path, expected)[0])
start = time.process_time()
table = spec.run_trials(snakemake.wildcards.method, trials, origin["seed"], values)
write_table(table, snakemake.output[0], {**origin, "seconds": time.process_time() - start})
