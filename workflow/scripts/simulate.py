"""Simulate one method on one chunk of trials."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.experiments import run_trials
from hdbwk.experiments.chunks import trials_of
from hdbwk.tables import read_table, write_table

origin = snakemake.params.origin
trials = trials_of(snakemake.wildcards.chunk)
values = None
if snakemake.input.fluid:
    values = read_table(snakemake.input.fluid[0])[0].set_index("trial")["value"].to_dict()
table = run_trials(snakemake.params.spec, snakemake.wildcards.method, trials, origin["seed"], values)
write_table(table, snakemake.output[0], {**origin, "seconds": table.attrs["seconds"]})
