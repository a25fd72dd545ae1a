"""Show every figure in small, and what the ledgers say."""

from _job import log_to

log_to(snakemake.log[0])

import json
from pathlib import Path

from hdbwk.reporting.overview import overview_page
from hdbwk.core.files import write_text

figures = list(map(Path, snakemake.input.figures))
page = overview_page(Path(snakemake.params.folder), figures, json.loads(snakemake.params.captions))
write_text(page, snakemake.output[0])
