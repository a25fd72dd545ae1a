"""Execute one notebook and write it as a page."""

from _job import log_to

log_to(snakemake.log[0])

import json
from pathlib import Path

from hdbwk.reporting.notebooks import render
from hdbwk.core.files import write_text

environment = {}
if run := snakemake.params.run:
    folders = {name: str(Path(run[name]).resolve()) for name in ("results", "figures")}
    environment["HDBWK_RUN"] = json.dumps({**run, **folders})
write_text(render(Path(snakemake.input.notebook), environment), snakemake.output[0])
