"""Join the chunks of an experiment, after checking that they belong together."""

from _job import log_to

log_to(snakemake.log[0])

from pathlib import Path

from hdbwk.pipeline.chunks import trials_of
from hdbwk.pipeline.tables import Chunk, merge_chunks, read_origin, write_table

origins = snakemake.params.origins
paths = map(Path, snakemake.input.chunks)  # .../METHOD/FIRST-LAST.parquet
longer = snakemake.params.longer
table = merge_chunks({path: Chunk(origins[path.parent.name], trials_of(path.stem), longer) for path in paths})
seconds = sum(read_origin(chunk)["seconds"] for chunk in snakemake.input.chunks)
write_table(table, snakemake.output[0], {**snakemake.params.origin, "seconds": seconds})
