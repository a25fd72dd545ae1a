"""Execute one notebook and write it as a page."""

from _job import log_to

log_to(snakemake.log[0])

from pathlib import Path

from hdbwk.notebooks import render
from hdbwk.tables import write_text

folders = {name: str(Path(folder).resolve()) for name, folder in snakemake.params.folders.items()}
write_text(render(Path(snakemake.input.notebook), folders), snakemake.output[0])
