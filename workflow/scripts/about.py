"""Say what the run was made with."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.pages import about_page
from hdbwk.tables import write_text

write_text(about_page(snakemake.params.config), snakemake.output[0])
