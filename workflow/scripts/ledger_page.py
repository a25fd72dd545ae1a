"""Show a ledger as a page of the report."""

from _job import log_to

log_to(snakemake.log[0])

from pathlib import Path

from hdbwk.reporting.pages import ledger_page
from hdbwk.core.files import write_text

title = snakemake.wildcards.ledger.capitalize()
markdown = Path(snakemake.input.md).read_text(encoding="utf-8")
write_text(ledger_page(title, markdown), snakemake.output[0])
