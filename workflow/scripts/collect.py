"""Join the chunks of an experiment, after checking that they belong together."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.tables import merge_chunks, write_table

table = merge_chunks(snakemake.input.chunks, snakemake.params.origins, snakemake.params.trials)
write_table(table, snakemake.output[0], {"methods": snakemake.params.origins})
