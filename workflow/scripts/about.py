"""Say what the run was made with."""

from _job import log_to

log_to(snakemake.log[0])

import json

from hdbwk.reporting.pages import about_page
from hdbwk.core.files import write_text

write_text(about_page(json.loads(snakemake.params.config)), snakemake.output[0])
