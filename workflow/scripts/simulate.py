"""Simulate one method on one chunk of trials."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.experiments import run_trials
from hdbwk.experiments.chunks import trials_of
from hdbwk.tables import write_table

origin = snakemake.params.origin
trials = trials_of(snakemake.wildcards.chunk)
table = run_trials(snakemake.params.spec, snakemake.wildcards.method, trials, origin["seed"])
write_table(table, snakemake.output[0], {**origin, "seconds": table.attrs["seconds"]})
