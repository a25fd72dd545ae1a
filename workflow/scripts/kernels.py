"""Compile every kernel, and say which."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.core.compiled import DIGEST
from hdbwk.core.files import write_text
from hdbwk.pipeline.warm import warm_up

warm_up()
write_text(f"compiled: {DIGEST}\n", snakemake.output[0])
